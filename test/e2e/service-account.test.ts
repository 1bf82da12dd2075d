// The service runs as a user without rights, the operator's commands as root or through deploy/envsnap-admin: each can use the
// other's files.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { ensureBuilt } from '../../scripts/build.ts';
import { childEnvironment } from '../support/child-environment.ts';
import { temporaryFolder } from '../support/databases.ts';
import { programs, runServerCommand } from '../support/programs.ts';

const deploy = path.resolve(import.meta.dirname, '../../deploy');
const read = (name: string) => readFileSync(path.join(deploy, name), 'utf8');

/** An account without rights that every Linux has. */
const account = { name: 'nobody', uid: 65_534, gid: 65_534 };

/** Whether this process may become the account, and the account may read the program. */
function canServe(): boolean {
  if (process.platform !== 'linux' || process.geteuid?.() !== 0) return false;
  const { status } = spawnSync('runuser', ['-u', account.name, '--', 'cat', programs.server]);
  return status === 0;
}

/** A folder that everybody can traverse. */
function openFolder(): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  return folder;
}

/** A folder of the account. */
function ownedFolder(): string {
  const folder = path.join(openFolder(), 'data');
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, account.uid, account.gid);
  return folder;
}

function ownersOf(folder: string): Set<number> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(['', ...names].map((name) => lstatSync(path.join(folder, name)).uid));
}

async function serve(dataDir: string): Promise<{ url: string; stop: () => Promise<number> }> {
  const child: ChildProcess = spawn(process.execPath, [programs.server, 'start', '--port', '0'], {
    env: { ...childEnvironment, ENVSNAP_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
    ...account,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const [url = ''] = /http:\S+/.exec(String(line)) ?? [];
  return {
    url,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      return (await exited)[0];
    },
  };
}

describe('the units and envsnap-admin', () => {
  it('agree on user, settings and program, and a start that cannot succeed is not retried', () => {
    const units = ['envsnap-server.service', 'envsnap-backup.service'].map(read);
    const admin = read('envsnap-admin');
    const setIn = (name: string) => new RegExp(`^${name}=(.+)$`, 'm').exec(admin)?.[1] ?? '';
    for (const unit of units) {
      expect(unit).toContain(`\nUser=${setIn('user')}\n`);
      expect(unit).toContain(`\nEnvironmentFile=${setIn('settings')}\n`);
      expect(unit).toContain(setIn('program'));
      expect(unit).not.toContain('DynamicUser');
    }
    expect(units[0]).toMatch(/^RestartPreventExitStatus=2$/m);
    expect(read('server.env')).toMatch(/^ENVSNAP_DATA_DIR=\/var\/lib\/envsnap$/m);
  });
});

describe.runIf(canServe())('a service with an account of its own', () => {
  beforeAll(() => ensureBuilt());

  it('starts after everything that root has done in its folder', { tags: 'release' }, async () => {
    const dataDir = ownedFolder();
    const first = await serve(dataDir);
    const made = await fetch(`${first.url}/machine/keys/bootstrap`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"projectName":"p"}',
    });
    const { apiKey } = (await made.json()) as { apiKey: string };
    const form = new FormData();
    form.append('file', new Blob(['content']), 'a');
    await fetch(`${first.url}/machine/files`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      body: form,
    });
    expect(await first.stop()).toBe(0);

    const backups = ownedFolder();
    const flags = ['--data-dir', dataDir];
    for (const args of [['keys', 'rotate'], ['doctor', '--fix'], ['compact'], ['backup', backups]]) {
      const finished = await runServerCommand([...args, ...flags]);
      expect([args, finished.exitCode, finished.stderr.includes('EACCES')]).toEqual([args, 0, false]);
    }
    const [backup = ''] = readdirSync(backups);
    const restored = ownedFolder();
    const env = { ENVSNAP_ENCRYPTION_KEY: readFileSync(path.join(dataDir, 'master.key'), 'utf8').trim() };
    const restore = ['restore', path.join(backups, backup), '--data-dir', restored];
    expect((await runServerCommand(restore, { env })).exitCode).toBe(0);
    for (const folder of [dataDir, backups, restored])
      expect([folder, [...ownersOf(folder)]]).toEqual([folder, [account.uid]]);
    // Leftovers of an older version are named.
    writeFileSync(path.join(dataDir, 'left-by-root'), '');
    const doctor = await runServerCommand(['doctor', ...flags]);
    expect(doctor.stdout).toMatch(
      /^warning +data folder +left-by-root there has a different owner .*chown -R --reference=/m,
    );
    const second = await serve(dataDir);
    const usage = await fetch(`${second.url}/machine/usage`, { headers: { 'x-api-key': apiKey } });
    expect([usage.status, await second.stop()]).toEqual([200, 0]);
  });

  it('has its commands run by envsnap-admin, with a DATABASE_URL that a shell would cut', {
    tags: 'release',
  }, async () => {
    const folder = openFolder();
    const dataDir = ownedFolder();
    const backups = ownedFolder();
    const url = new URL(await (await fetch(`${inject('postgresBroker')}/migrated`)).text());
    url.searchParams.set('sslmode', 'disable');
    url.searchParams.set('application_name', 'cron');
    expect(url.href).toContain('&');
    const settings = path.join(folder, 'server.env');
    const key = randomBytes(32).toString('base64');
    writeFileSync(
      settings,
      `# of the test\nENVSNAP_DATA_DIR=${dataDir}\nDATABASE_URL=${url.href}\nENVSNAP_ENCRYPTION_KEY=${key}\n`,
      { mode: 0o640 },
    );
    chownSync(settings, 0, account.gid);
    const admin = path.join(folder, 'envsnap-admin');
    writeFileSync(
      admin,
      read('envsnap-admin')
        .replace(/^user=.*$/m, `user=${account.name}`)
        .replace(/^settings=.*$/m, `settings=${settings}`)
        .replace(/^program=.*$/m, `program=${programs.server}`)
        .replace('/usr/bin/node', process.execPath),
      { mode: 0o755 },
    );
    const run = (...args: string[]) =>
      execFileSync(admin, args, {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        // Variables that root's shell may have by chance.
        env: { PATH: process.env.PATH, DATABASE_URL: 'postgres://elsewhere/x', ENVSNAP_LOG_LEVEL: 'loud' },
      });
    const { settings: shown } = JSON.parse(run('config', '--json'));
    expect(JSON.stringify(shown)).toContain(url.host);
    expect(run('doctor')).toContain('nothing is wrong');
    const { file } = JSON.parse(run('backup', backups, '--keep', '2', '--json'));
    expect(lstatSync(file).uid).toBe(account.uid);
  });
});
