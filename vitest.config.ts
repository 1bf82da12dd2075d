import { registerHooks } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongFilesFirst } from './test/support/long-files-first.ts';
import { TimeByPackage } from './test/support/time-by-package.ts';

/** Tests resolve workspace packages to their TypeScript sources, so a test run never sees a stale build. */
const condition = 'envsnap-source';
// In this process, for the global setup.
registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(specifier, { ...context, conditions: [...context.conditions, condition] }),
});

export default defineConfig({
  test: {
    // Node.js itself loads tests and sources, and keeps what it has compiled: through Vite, the run takes longer.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [`--conditions=${condition}`],
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/test-run.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // Far more than any test needs on an idle machine: a busy one must not fail them.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As long: what comes at all passes.
    expect: { poll: { timeout: 60_000 } },
    // Not threads: to start a program, the system copies the page tables of all of them.
    pool: 'forks',
    // Starting a worker and loading the server for each file would cost a sixth of the run.
    isolate: false,
    unstubEnvs: true,
    // Most tests wait for processes and databases: with as many workers as cores, or one less as by default, a core would idle.
    // Four on two cores took 356 s where three took 450.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFilesFirst },
    // `test` filters by these tags, `test:all` does not: see package.json. A whole file: `// @module-tag NAME` at its top.
    tags: [
      { name: 'postgresql', description: 'On PostgreSQL, of a suite for both databases. `test` skips it.' },
      {
        name: 'both-databases',
        description: 'Depends on the database: its own SQL, locks, replicas, plans. `test` runs it on both.',
      },
      {
        name: 'release',
        description:
          'Every case of what another test samples, or what only a release changes. `test` skips it.',
      },
    ],
    reporters: ['default', new TimeByPackage()],
  },
});
