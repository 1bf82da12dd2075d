// The table of tools as a whole.

import { describe, expect, test } from 'vitest';
import { captureEnvironment } from '../../../packages/capture/src/capture-environment.ts';
import { versionIn } from '../../../packages/capture/src/runtimes/tool.ts';
import { toolTable as tools } from '../../../packages/capture/src/runtimes/tool-table.ts';
import { createFakeSystem } from '../../support/fake-system.ts';
import { readTestData } from '../../support/test-data.ts';
import { plainOptions } from '../plain-options.ts';

const { outputs } = readTestData<{ outputs: [tool: string, output: string, version: string | null][] }>(
  import.meta,
);

describe('the table of tools', () => {
  test('has every tool that the decisions name, and each name once', () => {
    const names = tools.map(({ name }) => name);
    const named =
      'node npm pnpm yarn bun deno python pip uv poetry ruby bundler go rustc cargo java maven gradle kotlin scala dotnet php composer perl lua julia r swift gcc clang cmake make git docker podman kubectl helm terraform';
    expect(names).toEqual(expect.arrayContaining(named.split(' ')));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  test('gives each tool a way to its version', () => {
    for (const tool of tools) {
      const places = [...tool.executables, ...Object.values(tool.places ?? {}).flat()];
      expect(places.length, tool.name).toBeGreaterThan(0);
    }
  });
});

describe('the version in what a tool prints', () => {
  test.each(outputs)('%s: %j is %s', (name, output, version) => {
    expect(versionIn(output, tools.find((tool) => tool.name === name)?.pattern)).toBe(version ?? undefined);
  });
});

test('while a tool as large as the capture runs, nothing of the project is read and no other tool is asked', async () => {
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

test('a script in another language that has the name of a compiled tool is not that tool', async () => {
  const files = { '/work/a': 'x', '/gems/tilt': { executable: true, content: '#!/usr/bin/ruby\nputs' } };
  const programs = { '/gems/tilt': () => ({ exitCode: 1, stderr: 'No such file or directory - version' }) };
  const system = createFakeSystem({ env: { PATH: '/gems', HOME: '/home/u' }, files, programs });
  const { snapshot, report } = await captureEnvironment(system, { ...plainOptions, folder: '/work' });
  expect(snapshot.runtimeVersions).not.toHaveProperty('tilt');
  expect(report.warnings.map(({ code }) => code)).not.toContain('probe_failed');
  expect(report.skipped.map(({ name }) => name)).toContain('tilt');
});
