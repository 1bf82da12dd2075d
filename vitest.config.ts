import { defineConfig } from 'vitest/config';
import { TimeByPackage } from './test/support/time-by-package.ts';

/** Tests resolve workspace packages to their TypeScript sources, so a test run never sees a stale build. */
const conditions = ['envsnap-source', 'node'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/test-run.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    pool: 'threads',
    reporters: ['default', new TimeByPackage()],
  },
});
