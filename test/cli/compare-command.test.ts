// envsnap compare as a process: references, which differences count, and exit codes.

import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { EnvSnap } from '@envsnap/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createProject,
  createSandbox,
  programs,
  type ServerProcess,
  startServerProcess,
} from '../support/programs.ts';

const base = {
  machineName: 'desk',
  os: 'linux',
  arch: 'x64',
  runtimeVersions: { node: '24.1.0', npm: '11.0.0' },
  dependencies: { 'package-lock.json': { zod: '4.0.0', '@types/node': '24.0.0' } },
  envVars: { TZ: 'UTC' },
};
const changed = {
  ...base,
  runtimeVersions: { node: '24.2.0', npm: '11.0.0' },
  dependencies: { 'package-lock.json': { zod: '4.0.0', '@types/node': '24.0.1' } },
  envVars: { TZ: 'UTC', EXTRA: 'value-of-extra' },
};

function files() {
  const sandbox = createSandbox();
  for (const [name, content] of Object.entries({ a: base, b: changed }))
    writeFileSync(path.join(sandbox.cwd, `${name}.json`), JSON.stringify(content));
  return sandbox;
}

describe('--failure', () => {
  interface Answer {
    readonly causes: readonly { readonly keys: string[]; readonly evidence?: string }[];
    readonly notes: readonly { readonly code: string }[];
  }
  const output = 'FAIL settings.test.js\n  EXTRA=value is not allowed here\n';

  it('puts the cause first that the output names, from a file and from standard input', async () => {
    const sandbox = files();
    writeFileSync(path.join(sandbox.cwd, 'test.log'), output);
    const ofFile = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', 'test.log', '--json']);
    const ofStream = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', '-', '--json'], {
      stdin: output,
    });
    // In the form that Windows PowerShell writes.
    const utf16 = Buffer.from(`\ufeff${output}`, 'utf16le');
    writeFileSync(path.join(sandbox.cwd, 'utf16.log'), utf16);
    const words = ['compare', 'a.json', 'b.json', '--json', '--failure'];
    const ofUtf16 = [
      await sandbox.run([...words, 'utf16.log']),
      await sandbox.run([...words, '-'], { stdin: utf16 }),
    ];
    for (const { stdout } of [ofFile, ofStream, ...ofUtf16]) {
      const { causes } = JSON.parse(stdout) as Answer;
      expect(causes[0]).toMatchObject({
        keys: ['EXTRA'],
        keyCount: 1,
        evidence: 'EXTRA=value is not allowed here',
      });
    }
    const table = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', 'test.log']);
    expect(table.stdout.split('\n')[0]).toContain('the output says “EXTRA=value is not allowed here”');
  });

  it('reads the beginning and the end of a log of 100 MB, and says so', async () => {
    const sandbox = files();
    const log = path.join(sandbox.cwd, 'long.log');
    writeFileSync(log, '');
    truncateSync(log, 100 * 1024 * 1024);
    appendFileSync(log, `\n${output}`);
    const { stdout } = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', 'long.log', '--json']);
    const { causes, notes } = JSON.parse(stdout) as Answer;
    expect(causes[0]?.evidence).toContain('EXTRA=value');
    expect(notes.map(({ code }) => code)).toContain('failure_cut');
  });

  it.skipIf(!existsSync('/usr/bin/script') || process.platform !== 'linux')('reads what is typed', () => {
    const { cwd, env } = files();
    const command = `"${process.execPath}" "${programs.cli}" compare a.json b.json --failure /dev/stdin --json > answer.json`;
    spawnSync('/usr/bin/script', ['-qec', command, '/dev/null'], { cwd, env, input: `${output}\x04` });
    const { causes } = JSON.parse(readFileSync(path.join(cwd, 'answer.json'), 'utf8')) as Answer;
    expect(causes[0]?.evidence).toContain('EXTRA=value');
  });

  it('says when an output is of no help, and when a file is not one that can be read', async () => {
    const sandbox = files();
    const { stdout } = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', '-', '--json'], {
      stdin: 'it broke\n',
    });
    expect((JSON.parse(stdout) as Answer).notes.map(({ code }) => code)).toContain('failure_names_nothing');
    const missing = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', 'no-such.log']);
    expect(missing.exitCode).toBe(4);
    expect(missing.stderr).toContain('no-such.log');
    const folder = await sandbox.run(['compare', 'a.json', 'b.json', '--failure', '.']);
    expect(folder).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('. cannot be read') });
  });
});

describe('comparing this machine from a subfolder', () => {
  it('takes the project around it and says so; --dir takes the folder alone', async () => {
    const sandbox = createSandbox();
    const packages = { 'node_modules/zod': { version: '4.0.0' }, 'node_modules/ms': { version: '2.1.3' } };
    const put = (name: string, value: object) =>
      writeFileSync(path.join(sandbox.cwd, name), JSON.stringify(value));
    mkdirSync(path.join(sandbox.cwd, '.git'));
    mkdirSync(path.join(sandbox.cwd, 'packages/web/src'), { recursive: true });
    mkdirSync(path.join(sandbox.cwd, 'node_modules/ms'), { recursive: true });
    put('package.json', {});
    put('package-lock.json', { lockfileVersion: 3, packages });
    put('node_modules/ms/package.json', { version: '2.1.3' });
    await sandbox.run(['capture', '--output', 'a.json']);
    put('node_modules/ms/package.json', { version: '2.0.0' });
    const captured = JSON.parse(readFileSync(path.join(sandbox.cwd, 'a.json'), 'utf8')) as {
      metadata: { project: unknown };
    };
    expect(captured.metadata.project).toMatchObject({ root: '<checkout>' });
    const inside = { cwd: path.join(sandbox.cwd, 'packages/web/src') };
    const ofProject = await sandbox.run(['compare', '../../../a.json', 'local'], inside);
    expect(ofProject.stdout).toContain('Project: ../../..; --dir . takes this folder alone.');
    expect(ofProject.stdout).not.toContain('zod');
    // There, npm would install the packages of that folder alone.
    expect(ofProject.stdout).toContain('run “cd ../../.. && npm ci”');
    expect((await sandbox.run(['check'], inside)).stdout).toContain('Next: cd ../../.. && npm ci');
    writeFileSync(path.join(sandbox.cwd, 'packages/web/.nvmrc'), '4.9.1');
    expect((await sandbox.run(['check'], inside)).stdout).toMatch(
      /✗ node is .*, packages\/web\/\.nvmrc asks/,
    );
    expect((await sandbox.run(['check'])).stdout).toMatch(/! node is .*, packages\/web\/\.nvmrc asks/);
    rmSync(path.join(sandbox.cwd, 'packages/web/.nvmrc'));
    expect((await sandbox.run(['run', '--', 'false'], inside)).stderr).toContain('cd ../../.. && npm ci');
    // Paths of files are relative to the working folder, whatever --dir is.
    const alone = await sandbox.run(['compare', 'a.json', 'local', '--dir', 'packages/web/src', '--json']);
    const removed = expect.objectContaining({ file: 'package-lock.json', status: 'removed' });
    expect(JSON.parse(alone.stdout).diff.dependencies).toContainEqual(removed);
    const unknown = await sandbox.run(['compare', '../../../a.json', 'local', '--workspace', 'nope'], inside);
    expect(unknown.exitCode).toBe(2);
  });
});

describe('comparing files', () => {
  it('exits 0 when nothing differs, or nothing that counts', async () => {
    const sandbox = files();
    expect((await sandbox.run(['compare', 'a.json', 'a.json'])).exitCode).toBe(0);
    const exit = async (...args: string[]) =>
      (await sandbox.run(['compare', 'a.json', 'b.json', ...args])).exitCode;
    expect(await exit('--fail-on', 'none')).toBe(0);
    expect(await exit('--fail-on', 'os,arch')).toBe(0);
    expect(await exit('--fail-on', 'runtimes:major')).toBe(0);
    expect(await exit('--fail-on', 'runtimes:minor')).toBe(1);
    expect(
      await exit('--ignore', 'runtimes', '--ignore', 'env:EXTRA', '--ignore', 'dependencies:**/@types/*'),
    ).toBe(0);
    expect(await exit('--ignore', 'runtimes')).toBe(1);
  });

  it('reads one side from standard input', async () => {
    const { exitCode } = await files().run(['compare', '-', 'a.json'], { stdin: JSON.stringify(base) });
    expect(exitCode).toBe(0);
  });

  it('reads a file that begins with a byte order mark, or in UTF-16, as Windows PowerShell writes it', async () => {
    const sandbox = files();
    for (const encoding of ['utf8', 'utf16le'] as const) {
      const marked = Buffer.from(`\uFEFF${JSON.stringify(base)}`, encoding);
      writeFileSync(path.join(sandbox.cwd, 'marked.json'), marked);
      expect((await sandbox.run(['compare', 'marked.json', 'a.json'])).exitCode).toBe(0);
    }
  });

  it('exits 4 for a file that does not exist, 2 for one that is not a snapshot', async () => {
    const sandbox = files();
    writeFileSync(path.join(sandbox.cwd, 'text.json'), 'not json');
    writeFileSync(path.join(sandbox.cwd, 'other.json'), '{"machineName": 7}');
    expect((await sandbox.run(['compare', 'absent.json', 'a.json'])).exitCode).toBe(4);
    expect((await sandbox.run(['compare', 'text.json', 'a.json'])).exitCode).toBe(2);
    const other = await sandbox.run(['compare', 'a.json', 'other.json']);
    expect(other.exitCode).toBe(2);
    expect(other.stderr).toContain('other.json is not a snapshot: machineName must be a string\n');
    writeFileSync(path.join(sandbox.cwd, 'empty.json'), '{}');
    const empty = await sandbox.run(['compare', 'empty.json', 'a.json']);
    expect(empty.stderr).toContain('empty.json is not a snapshot: machineName is required\n');
    writeFileSync(path.join(sandbox.cwd, 'list.json'), '[]');
    const list = await sandbox.run(['compare', 'list.json', 'a.json']);
    expect(list.stderr).toContain('list.json is not a snapshot: it must be an object\n');
  });
});

describe('comparing with this machine', () => {
  it('finds no difference right after the capture, and then exactly what changed', async () => {
    const sandbox = createSandbox();
    const env = { SHARED: '1', API_TOKEN: 'hunter2-secret', ENVSNAP_FINGERPRINT_KEY: 'k' };
    await sandbox.run(['capture', '--output', 'before.json'], { env });
    expect((await sandbox.run(['compare', 'before.json', 'local'], { env })).exitCode).toBe(0);
    const { exitCode, document } = await sandbox.json(['compare', 'before.json', 'local'], {
      env: { ...env, SHARED: '2', API_TOKEN: 'hunter3-secret' },
    });
    expect(exitCode).toBe(1);
    const different = document.diff.envVars.filter((entry: { status: string }) => entry.status !== 'same');
    expect(different.map((entry: { key: string; status: string }) => [entry.key, entry.status])).toEqual([
      ['API_TOKEN', 'changed'],
      ['SHARED', 'changed'],
    ]);
  });
});

describe('comparing stored snapshots', () => {
  let server: ServerProcess;
  beforeAll(async () => {
    server = await startServerProcess();
  });

  async function project() {
    const sandbox = createSandbox();
    const { apiKey } = await createProject(sandbox, server.url);
    return { ...sandbox, client: new EnvSnap({ baseUrl: server.url, apiKey }) };
  }

  it('takes ids, the beginning of one, latest and latest:MACHINE', async () => {
    const sandbox = await project();
    const a = await sandbox.client.snapshots.create(base);
    const b = await sandbox.client.snapshots.create({ ...changed, machineName: 'other' });
    const sides = async (...args: string[]) => {
      const { exitCode, document } = await sandbox.json(['compare', ...args]);
      return [exitCode, document.snapshotA, document.snapshotB];
    };
    expect(await sides(a.id, b.id)).toEqual([1, a.id, b.id]);
    expect(await sides('latest:desk', 'latest')).toEqual([1, a.id, b.id]);
    expect(await sides(a.id.slice(0, 35), a.id.toUpperCase())).toEqual([0, a.id, a.id]);
    const unknown = await sandbox.run(['compare', 'latest:dek', 'latest']);
    expect(unknown.exitCode).toBe(4);
    expect(unknown.stderr).toContain('latest:desk');
    expect((await sandbox.run(['compare', '00000000-0000-7000-8000-000000000000', 'latest'])).exitCode).toBe(
      4,
    );
    expect((await sandbox.run(['compare', 'abc', 'latest'])).exitCode).toBe(2);
    expect((await sandbox.run(['compare', 'something', 'latest'])).exitCode).toBe(2);
  });

  it('compares the last snapshot of this machine with this machine by default, secrets by fingerprint', {
    tags: 'release',
  }, async () => {
    const sandbox = await project();
    const nothing = await sandbox.run(['compare']);
    expect(nothing.exitCode).toBe(4);
    expect(nothing.stderr).toContain('envsnap capture');
    const env = { API_TOKEN: 'hunter2-secret' };
    await sandbox.run(['capture'], { env });
    const same = await sandbox.json(['compare'], { env });
    expect(same.exitCode).toBe(0);
    expect(same.document.a).toMatchObject({ label: `latest:${hostname()}`, machineName: hostname() });
    const different = await sandbox.run(['compare'], { env: { API_TOKEN: 'hunter3-secret' } });
    expect(different.exitCode).toBe(1);
    expect(different.stdout).toContain('API_TOKEN');
    expect(different.stdout).not.toContain('hunter');
  });

  it('says how to compare without a server when none is configured', async () => {
    const { exitCode, stderr } = await createSandbox().run(['compare']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('capture --output');
    const nowhere = await createSandbox().run(['compare', 'last-passed', 'local', '--dir', 'gone']);
    expect(nowhere).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('there is no such folder'),
    });
  });
});
