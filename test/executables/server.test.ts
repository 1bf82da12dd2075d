// The service as one file: it serves, compares in its thread, keeps its data whole, and takes its native module from nobody else.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'dist/executables/envsnap-server-linux-x64/envsnap-server');
const isHere = process.platform === 'linux' && process.arch === 'x64';

describe.skipIf(!isHere)('the executable of the server', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(() => {
    const args = ['--conditions=envsnap-source', 'scripts/executables/run.ts'];
    execFileSync(process.execPath, [...args, '--program', 'envsnap-server', '--target', 'linux-x64'], {
      cwd: root,
      stdio: 'ignore',
    });
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-server-executable-'));
    env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      TMPDIR: path.join(folder, 'tmp'),
      ENVSNAP_DATA_DIR: path.join(folder, 'data'),
      // None of it is for this program.
      NODE_OPTIONS: '--require /nonexistent/file.js',
      OPENSSL_CONF: '/nonexistent/openssl.cnf',
    };
    mkdirSync(env.TMPDIR as string);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const run = (args: readonly string[], more: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { ...env, ...more }, encoding: 'utf8', timeout: 60_000 } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    return { status, stdout, stderr };
  };

  it('serves, backs up while it runs, and finds its data whole afterwards', async () => {
    const child = spawn(program, ['start', '--port', '0'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let said = '';
      child.once('exit', () => reject(new Error('the server ended')));
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        said += chunk;
        const [, found] = /listening on (http:\S+)/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    try {
      const sandbox = createSandbox();
      await sandbox.run(['init', '--base-url', url, '--project-name', 'whole']);
      for (const mode of ['one', 'two'])
        expect(
          (await sandbox.run(['capture', '--machine-name', mode], { env: { MODE: mode } })).exitCode,
        ).toBe(0);
      // In the thread of jobs.
      const history = await sandbox.run(['history', 'env:MODE', '--machine', 'one']);
      expect(history).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('env:MODE') });
      expect((await fetch(`${url}/docs/viewer.js`)).status).toBe(200);
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' });
      expect(run(['backup', 'backup.tar', '--include-master-key'])).toMatchObject({ status: 0 });
    } finally {
      child.kill('SIGTERM');
    }
    expect(await ended).toBe(0);
    expect(run(['doctor']).stdout).toContain('nothing is wrong');
    expect(run(['migrate']).stdout).toContain('up to date');
    const restored = { ENVSNAP_DATA_DIR: path.join(folder, 'restored') };
    expect(run(['restore', 'backup.tar'], restored)).toMatchObject({ status: 0 });
    expect(run(['doctor'], restored).stdout).toContain('nothing is wrong');
    expect(readdirSync(env.TMPDIR as string)).toEqual([]);
  });

  describe('its native module', () => {
    const migrate = (cache: string) =>
      run(['migrate'], { XDG_CACHE_HOME: cache, ENVSNAP_DATA_DIR: path.join(cache, 'data') });

    it('is written anew where the file is another', () => {
      const cache = path.join(folder, 'damaged');
      expect(migrate(cache).status).toBe(0);
      const [name = ''] = readdirSync(path.join(cache, 'envsnap-server'));
      const file = path.join(cache, 'envsnap-server', name);
      const bytes = readFileSync(file);
      chmodSync(file, 0o700);
      writeFileSync(file, bytes.subarray(0, 1000));
      expect(migrate(cache).status).toBe(0);
      expect(readFileSync(file).equals(bytes)).toBe(true);
    });

    it('is not taken from a folder that others may write to', () => {
      const cache = path.join(folder, 'open');
      const open = path.join(cache, 'envsnap-server');
      mkdirSync(open, { recursive: true });
      chmodSync(open, 0o777);
      expect(migrate(cache).status).toBe(0);
      expect(readdirSync(open)).toEqual([]);
      const own = path.join(env.TMPDIR as string, `envsnap-server-${process.geteuid?.()}`);
      expect(statSync(own).mode & 0o777).toBe(0o700);
      expect(readdirSync(own)).toHaveLength(1);
    });
  });
});
