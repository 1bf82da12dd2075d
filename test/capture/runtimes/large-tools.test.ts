import { expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { plainOptions } from '../plain-options.ts';

test('nothing of the project is read, and no other tool asked, while a tool as large as the capture runs', async () => {
  const seen: { reads: readonly string[]; started: readonly string[] }[] = [];
  const system = createFakeSystem({
    env: { PATH: '/usr/bin', HOME: '/home/dev' },
    homeDir: '/home/dev',
    files: {
      '/usr/bin/terraform': { executable: true, content: '\x7fELF' },
      '/usr/bin/docker': { executable: true, content: '\x7fELF' },
      '/srv/app/package-lock.json':
        '{"lockfileVersion":3,"packages":{"node_modules/zod":{"version":"4.6.7"}}}',
    },
    programs: {
      '/usr/bin/terraform': () => {
        seen.push({ reads: [...system.reads], started: system.executions.map(({ file }) => file) });
        return 'Terraform v1.11.4\n';
      },
      '/usr/bin/docker': 'Docker version 28.2.2, build e6534b4\n',
    },
  });
  const { snapshot } = await captureEnvironment(system, { folder: '/srv/app', ...plainOptions });
  expect(snapshot.runtimeVersions).toMatchObject({ terraform: '1.11.4', docker: '28.2.2' });
  expect(snapshot.dependencies['package-lock.json']).toEqual({ zod: '4.6.7' });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.reads).not.toContain('/srv/app/package-lock.json');
  expect(seen[0]?.started).toEqual(['/usr/bin/terraform']);
});
