import { expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { plainOptions } from '../plain-options.ts';

test('a program that pnpm wrote as a script into node_modules/.bin has the version of its package, and is not started', async () => {
  const system = createFakeSystem({
    env: { PATH: '/srv/app/node_modules/.bin:/usr/bin', HOME: '/home/dev', EDITOR: 'vi' },
    homeDir: '/home/dev',
    files: {
      '/srv/app/node_modules/.bin/tsc': { executable: true, content: '#!/bin/sh\nexec node x "$@"\n' },
      '/srv/app/node_modules/typescript/package.json': '{"name":"typescript","version":"7.0.2"}',
    },
  });
  const { snapshot } = await captureEnvironment(system, { folder: '/srv/app', ...plainOptions });
  expect(snapshot.runtimeVersions.typescript).toBe('7.0.2');
  expect(snapshot.metadata.capture).not.toHaveProperty('unknown');
  expect(system.executions).toEqual([]);
});
