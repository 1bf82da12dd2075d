// Policies, baselines and snapshots in a repository: none keeps the command line busy or waiting.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/programs.ts';

const long = 'a'.repeat(4000);
const snapshot = {
  machineName: 'm',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '24.0.0' },
  dependencies: { 'package-lock.json': { [long]: '1.0.0', [`${long}b`]: '1.0.0' } },
  envVars: { [long.slice(0, 1000)]: 'x' },
  metadata: {},
};

function prepared(policy: string): Sandbox {
  const sandbox = createSandbox();
  mkdirSync(path.join(sandbox.cwd, '.git'));
  writeFileSync(path.join(sandbox.cwd, 'a.json'), JSON.stringify(snapshot));
  writeFileSync(path.join(sandbox.cwd, 'b.json'), JSON.stringify({ ...snapshot, dependencies: {} }));
  writeFileSync(path.join(sandbox.cwd, '.envsnap.yaml'), policy);
  return sandbox;
}

/** As on a terminal; the limit is the test's and far above what the work takes. */
const patient = 25_000;

describe('a hostile policy', () => {
  const patterns = [
    `dependencies:${'*a'.repeat(20)}b`,
    `dependencies:${'**/'.repeat(100)}${'*a'.repeat(100)}c`,
    `dependencies:${'?*'.repeat(200)}c`,
    `dependencies:${'[a-z]*'.repeat(100)}0`,
    `env:${'*a*'.repeat(100)}b`,
  ];
  test.each(patterns)(
    'has its pattern matched in time: %.40s',
    async (pattern) => {
      const sandbox = prepared(`ignore:\n  - "${pattern}"\nrequired:\n  - "${pattern.split(':')[1]}"\n`);
      const { exitCode, stderr } = await sandbox.run(['compare', 'a.json', 'b.json']);
      expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    },
    patient,
  );

  test(
    'cannot ask for a number of alternatives that grows without end',
    async () => {
      const sandbox = prepared(`ignore:\n  - "env:${'{a,b}'.repeat(60)}"\n`);
      const { exitCode, stderr } = await sandbox.run(['compare', 'a.json', 'b.json']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('.envsnap.yaml');
    },
    patient,
  );

  test(
    'cannot grow by aliases of aliases',
    async () => {
      const levels = Array.from(
        { length: 30 },
        (_, index) => `l${index + 1}: &l${index + 1} [*l${index}, *l${index}, *l${index}, *l${index}]`,
      );
      const sandbox = prepared(`l0: &l0 [x]\n${levels.join('\n')}\nignore: *l30\n`);
      const { exitCode, stderr } = await sandbox.run(['compare', 'a.json', 'b.json']);
      expect(exitCode).toBe(2);
      expect(stderr.length).toBeLessThan(20_000);
    },
    patient,
  );

  test.each([
    ['a device', (file: string) => symlinkSync('/dev/zero', file), 'this is not a regular file'],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'this is not a regular file'],
    ['a folder', (file: string) => mkdirSync(file), 'this is a folder'],
    ['a link to itself', (file: string) => symlinkSync(file, file), 'its symbolic links form a loop'],
    [
      'a huge file',
      (file: string) => {
        writeFileSync(file, '');
        truncateSync(file, 2 ** 40);
      },
      'it is larger than',
    ],
  ] as const)(
    'learns that its baseline is %s',
    { tags: 'release', timeout: patient },
    async (_, make, reason) => {
      const sandbox = prepared('baseline: ./base.json\n');
      make(path.join(sandbox.cwd, 'base.json'));
      const { exitCode, stderr } = await sandbox.run(['compare']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain(reason);
    },
  );

  test(
    'cannot read another file by naming it as the baseline',
    async () => {
      const sandbox = prepared('baseline: ./other.json\n');
      writeFileSync(path.join(sandbox.cwd, 'other.json'), 'root:hunter2:19000\n');
      const { exitCode, stdout, stderr } = await sandbox.run(['compare']);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('other.json is not a snapshot: it is not JSON\n');
      expect(stdout + stderr).not.toContain('root:');
    },
    patient,
  );

  test('may be such a file itself', { tags: 'release', timeout: patient }, async () => {
    const sandbox = createSandbox();
    mkdirSync(path.join(sandbox.cwd, '.git'));
    execFileSync('mkfifo', [path.join(sandbox.cwd, '.envsnap.yaml')]);
    writeFileSync(path.join(sandbox.cwd, 'a.json'), JSON.stringify(snapshot));
    const found = await sandbox.run(['compare', 'a.json', 'a.json']);
    expect(found.exitCode).toBe(2);
    expect(found.stderr).toContain('.envsnap.yaml: this is not a regular file');
    const named = await sandbox.run(['compare', 'a.json', 'a.json', '--policy', '.envsnap.yaml']);
    expect(named.exitCode).toBe(2);
    expect(named.stderr).toContain('this is not a regular file');
    const device = await sandbox.run(['compare', '/dev/zero', 'a.json']);
    expect(device.exitCode).toBe(2);
    rmSync(path.join(sandbox.cwd, '.envsnap.yaml'));
    // Without an end, and compared to nothing that it names.
    const failure = await sandbox.run(['compare', 'a.json', 'a.json', '--failure', '/dev/zero']);
    expect([failure.exitCode, failure.stderr]).toEqual([0, '']);
    symlinkSync('.envsnap.yaml', path.join(sandbox.cwd, '.envsnap.yaml'));
    const loop = await sandbox.run(['compare', 'a.json', 'a.json']);
    expect(loop.exitCode).toBe(2);
    expect(loop.stderr).toContain('.envsnap.yaml: it cannot be read: its symbolic links form a loop');
  });
});

test('Ctrl-C ends work that never gives the event loop a turn', async () => {
  const module = path.resolve(import.meta.dirname, '../../packages/cli/src/terminal/interrupt.ts');
  const script = `
    const { onInterrupt, interruptible } = await import(${JSON.stringify(module)});
    onInterrupt(() => {});
    interruptible(() => {
      process.stdout.write('busy\\n');
      for (;;);
    });`;
  const child = spawn(
    process.execPath,
    ['--conditions=envsnap-source', '--input-type=module', '-e', script],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise((resolve) => child.stdout.once('data', resolve));
  child.kill('SIGINT');
  const signal = await new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
  expect(signal).toBe('SIGINT');
});
