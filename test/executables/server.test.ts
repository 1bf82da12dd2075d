// The service as one file: it serves, compares in its thread, keeps its data intact, and never loads another's native module.
//
// @module-tag release

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
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
import { buildDeb } from '../../scripts/packaging/build-deb.ts';
import { createSandbox } from '../support/programs.ts';

const root = path.resolve(import.meta.dirname, '../..');
const program = path.join(root, 'dist/executables/envsnap-server-linux-x64/envsnap-server');
/** dpkg installs only as root; so here into a separate root. */
const canInstall = process.getuid?.() === 0 && spawnSync('dpkg-deb', ['--version']).status === 0;
const isHere = process.platform === 'linux' && process.arch === 'x64';

describe.skipIf(!isHere)('the executable of the server', () => {
  let folder: string;
  let env: Record<string, string>;

  beforeAll(() => {
    const args = ['--conditions=envsnap-source', 'scripts/executables/run.ts'];
    execFileSync(process.execPath, [...args, '--program', 'envsnap-server', '--target', 'linux-x64'], {
      cwd: root,
      stdio: 'ignore',
      env: { ...process.env, GZIP: '-1' },
    });
    folder = mkdtempSync(path.join(tmpdir(), 'envsnap-server-executable-'));
    env = {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      TMPDIR: path.join(folder, 'tmp'),
      ENVSNAP_DATA_DIR: path.join(folder, 'data'),
      // None of these is for this program.
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

  /** A server that runs, and how to stop it. */
  async function start(file: string, more: Record<string, string> = {}) {
    const child = spawn(file, ['start', '--port', '0'], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const url = await new Promise<string>((resolve, reject) => {
      let output = '';
      child.once('exit', () => reject(new Error('the server ended')));
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk;
        const [, found] = /listening on (http:\S+)/.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    return { url, stop };
  }

  it('serves, backs up while it runs, and finds its data whole afterwards', async () => {
    const { url, stop } = await start(program);
    try {
      const sandbox = createSandbox();
      await sandbox.run(['init', '--base-url', url, '--project-name', 'whole']);
      for (const mode of ['one', 'two'])
        expect(
          (await sandbox.run(['capture', '--machine-name', mode], { env: { MODE: mode } })).exitCode,
        ).toBe(0);
      // In the job thread.
      const history = await sandbox.run(['history', 'env:MODE', '--machine', 'one']);
      expect(history).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('env:MODE') });
      for (const page of ['docs/viewer.js', 'console/sign-in'])
        expect((await fetch(`${url}/${page}`)).status).toBe(200);
      const { document: share } = await sandbox.json(['share', 'latest:one', 'latest:two']);
      expect(await (await fetch(share.url)).text()).toContain('data-verdict="failed"');
      expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ status: 'ok' });
      expect(run(['backup', 'backup.tar', '--include-master-key'])).toMatchObject({ status: 0 });
    } finally {
      expect(await stop()).toBe(0);
    }
    expect(run(['doctor']).stdout).toContain('nothing is wrong');
    expect(run(['migrate']).stdout).toContain('up to date');
    const restored = { ENVSNAP_DATA_DIR: path.join(folder, 'restored') };
    expect(run(['restore', 'backup.tar'], restored)).toMatchObject({ status: 0 });
    expect(run(['doctor'], restored).stdout).toContain('nothing is wrong');
    expect(readdirSync(env.TMPDIR as string)).toEqual([]);
  });

  it.skipIf(!canInstall)('keeps its data when Debian upgrades, removes and purges it', async () => {
    const system = path.join(folder, 'system');
    mkdirSync(path.join(system, 'var/lib/dpkg'), { recursive: true });
    writeFileSync(path.join(system, 'var/lib/dpkg/status'), '');
    const dpkg = (...args: string[]) =>
      execFileSync('dpkg', [`--root=${system}`, '--force-depends', '--force-not-root', ...args], {
        stdio: 'pipe',
      });
    // The content of the package is not checked here, and packing takes half a minute.
    process.env.DPKG_DEB_COMPRESSOR_LEVEL = '0';
    const install = (version: string) =>
      dpkg('--install', buildDeb('envsnap-server', 'linux-x64', path.dirname(program), version, folder));
    const installed = path.join(system, 'usr/bin/envsnap-server');
    const settings = path.join(system, 'etc/envsnap/server.env');
    const data = path.join(system, 'var/lib/envsnap');
    const sandbox = createSandbox();
    const served = async (...commands: string[][]) => {
      const { url, stop } = await start(installed, { ENVSNAP_DATA_DIR: data });
      try {
        const outputs: string[] = [];
        for (const args of commands)
          outputs.push((await sandbox.run(args, { env: { ENVSNAP_BASE_URL: url } })).stdout);
        return outputs.join('');
      } finally {
        expect(await stop()).toBe(0);
      }
    };

    install('1.2.3');
    for (const file of ['lib/systemd/system/envsnap-server.service', 'sbin/envsnap-admin'])
      expect(readFileSync(path.join(system, 'usr', file), 'utf8')).not.toMatch(/node|\/opt/);
    await served(['init', '--project-name', 'kept'], ['capture', '--machine-name', 'before']);
    appendFileSync(settings, 'ENVSNAP_DRAIN_SECONDS=5\n');
    install('1.2.4');
    expect(readFileSync(settings, 'utf8')).toContain('DRAIN');
    expect(await served(['snapshot', 'list'])).toContain('before');
    // As envsnap-admin runs it.
    writeFileSync(path.join(folder, 'settings.env'), `ENVSNAP_DATA_DIR=${data}\n`);
    const options = { cwd: folder, env: { HOME: folder }, encoding: 'utf8' } as const;
    const doctor = spawnSync(installed, [`--env-file=${folder}/settings.env`, 'doctor'], options);
    expect(doctor.stdout).toContain(data);
    expect(doctor.stdout).toContain('nothing is wrong');
    dpkg('--remove', 'envsnap-server');
    expect([existsSync(installed), existsSync(settings)]).toEqual([false, true]);
    dpkg('--purge', 'envsnap-server');
    expect([existsSync(settings), existsSync(path.join(data, 'master.key'))]).toEqual([false, true]);
  });

  describe('its native module', () => {
    const migrate = (cache: string) =>
      run(['migrate'], { XDG_CACHE_HOME: cache, ENVSNAP_DATA_DIR: path.join(cache, 'data') });

    it('is written again if the file differs', () => {
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
