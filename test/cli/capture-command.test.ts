// envsnap capture as a process: what is stored, written or shown, and what never leaves the machine.

import { createHmac } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EnvSnap } from '@envsnap/sdk';
import { snapshotContent } from '@envsnap/shared';
import { beforeAll, describe, expect, it } from 'vitest';
import { createProject, createSandbox, type ServerProcess, startServerProcess } from '../support/programs.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});

const secret = 'AKIACANARY7EXAMPLE99';
const secrets = { AWS_SECRET_ACCESS_KEY: secret, DATABASE_URL: `postgres://u:${secret}@db/x` };

describe('capture without a server', () => {
  it('names init and --dry-run when nothing is configured, and exits 2', async () => {
    const { exitCode, stdout, stderr } = await createSandbox().run(['capture']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('envsnap init');
    expect(stderr).toContain('--dry-run');
  });

  it('shows the snapshot with --dry-run, as a document of the contract with --json', async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, '.nvmrc'), '12\n');
    const args = ['capture', '--dry-run', '--machine-name', 'desk', '--metadata', 'release=42'];
    const text = await sandbox.run(args, { env: { ...secrets, COLOUR: 'blue' } });
    expect(text).toMatchObject({ exitCode: 0 });
    expect(text.stdout).toContain('desk');
    expect(text.stdout).toMatch(/COLOUR +blue/);
    expect(text.stdout).toMatch(/AWS_SECRET_ACCESS_KEY +\[redacted\]/);
    expect(text.stdout).toContain('nothing was sent');
    const { exitCode, stdout, document } = await sandbox.json(args, { env: { ...secrets, COLOUR: 'blue' } });
    expect(exitCode).toBe(0);
    expect(snapshotContent.parse(document)).toMatchObject({ machineName: 'desk', os: process.platform });
    expect(document.envVars).toMatchObject({ COLOUR: 'blue', AWS_SECRET_ACCESS_KEY: '[redacted]' });
    expect(document.metadata.release).toBe('42');
    expect(text.stdout + text.stderr + stdout).not.toContain(secret);
  });

  it('writes the snapshot whole and for the user alone with --output, or to standard output for -', async () => {
    const sandbox = createSandbox({ ownProcess: true });
    const written = await sandbox.run(['capture', '--output', 'a.json'], { env: secrets });
    expect(written).toMatchObject({ exitCode: 0, stderr: '' });
    const file = path.join(sandbox.cwd, 'a.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(snapshotContent.safeParse(JSON.parse(readFileSync(file, 'utf8'))).success).toBe(true);
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    const hosted = createSandbox();
    const piped = await hosted.run(['capture', '--output', '-'], { env: secrets });
    expect(JSON.parse(piped.stdout)).toMatchObject({ os: process.platform });
    const nowhere = await hosted.run(['capture', '--output', 'no/such/folder/a.json']);
    expect(nowhere.exitCode).toBe(2);
    expect(nowhere.stderr).toContain('no/such/folder');
    expect(nowhere.stderr).toContain('there is no such folder');
  });

  it('fingerprints secrets with the key of the variable, and with no other', async () => {
    const sandbox = createSandbox();
    const captured = async (key: string, value: string) => {
      const env = { TOKEN: value, ENVSNAP_FINGERPRINT_KEY: key };
      const { document, stdout } = await sandbox.json(['capture', '--dry-run'], { env });
      expect(stdout).not.toContain(value);
      return document.envVars.TOKEN;
    };
    const first = await captured('k1', 'hunter2-secret');
    expect(first).toMatch(/^hmac:[0-9a-f]{32}$/);
    expect(await captured('k1', 'hunter2-secret')).toBe(first);
    expect(await captured('k1', 'hunter3-secret')).not.toBe(first);
    expect(await captured('k2', 'hunter2-secret')).not.toBe(first);
  });

  it('leaves out variables and values as asked', async () => {
    const sandbox = createSandbox();
    const env = { CI_A: '1', CI_B: '2', PLAIN: '3' };
    const variables = async (...flags: string[]) =>
      (await sandbox.json(['capture', '--dry-run', ...flags], { env })).document.envVars ?? {};
    expect(await variables('--no-env')).toEqual({});
    expect(await variables('--env-values', 'none')).toMatchObject({ PLAIN: '' });
    expect(await variables('--env-include', 'CI_*', '--env-exclude', 'CI_B')).toEqual({ CI_A: '1' });
  });

  it('leaves out what a package runner sets, so that a capture by way of npx equals one without', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    const runner = {
      npm_execpath: '/x/npm',
      npm_config_yes: 'true',
      COLOR: '0',
      NODE: '/x/node',
      EDITOR: 'vi',
    };
    const direct = await sandbox.json(['capture', '--dry-run'], { env: { PATH: '/usr/bin:/bin' } });
    const env = { ...runner, PATH: '/x/node_modules/.bin:/usr/bin:/bin' };
    const byRunner = await sandbox.json(['capture', '--dry-run'], { env });
    expect(byRunner.document.envVars).toEqual(direct.document.envVars);
    const own = { npm_config_registry: 'https://registry.example', NODE: 'x' };
    const { document } = await sandbox.json(['capture', '--dry-run'], { env: own });
    expect(document.envVars).toMatchObject(own);
  });

  it.runIf(existsSync('/dev/full'))('exits 7 when the device is full', async () => {
    const sandbox = createSandbox();
    const full = await sandbox.json(['capture', '--output', '/dev/full']);
    expect(full.exitCode).toBe(7);
    expect(full.document.error.message).toBe('/dev/full cannot be written: no space left on the device');
  });

  it('names the file, line and column of what it cannot read on standard error', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'Cargo.lock'), '[[package]]\nname = "x"\nversion = \n');
    for (const args of [['--dry-run'], ['--dry-run', '--json'], ['--output', 'a.json']]) {
      const { exitCode, stdout, stderr } = await sandbox.run(['capture', ...args]);
      expect(exitCode).toBe(0);
      expect(stderr).toMatch(/^Warning: Cargo\.lock:3:\d+ is not recorded: it is not valid TOML/);
      if (args.includes('--json')) expect(JSON.parse(stdout).metadata.capture.warnings).toHaveLength(1);
    }
  });

  it('exits 2 for something that is not a folder, and for facts without a name', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'file'), '');
    for (const args of [
      ['--dir', 'absent'],
      ['--dir', 'file'],
      ['--metadata', 'novalue'],
      ['--machine-name', ' '],
      ['--machine-name', 'x'.repeat(256)],
      ['--env-values', 'some'],
    ]) {
      const { exitCode, stderr } = await sandbox.run(['capture', '--dry-run', ...args]);
      expect({ args, exitCode }).toEqual({ args, exitCode: 2 });
      expect(stderr).toContain(args[0] === '--machine-name' ? args[0] : args[1]);
    }
  });

  it('writes nothing into the captured folder', async () => {
    const sandbox = createSandbox();
    writeFileSync(path.join(sandbox.cwd, 'package.json'), '{"name":"x","packageManager":"pnpm@9.0.0"}');
    await sandbox.run(['capture', '--dry-run']);
    expect(readFileSync(path.join(sandbox.cwd, 'package.json'), 'utf8')).toBe(
      '{"name":"x","packageManager":"pnpm@9.0.0"}',
    );
    expect(existsSync(path.join(sandbox.cwd, 'node_modules'))).toBe(false);
  });
});

describe('capture with a server', () => {
  it('stores the snapshot, prints its id, and sends fingerprints instead of secrets', async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, server.url);
    const { exitCode, document, stdout, stderr } = await sandbox.json(['capture'], { env: secrets });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    const stored = await sandbox.json(['snapshot', 'show', document.id]);
    expect(stored.document).toMatchObject({ id: document.id, createdAt: document.createdAt });
    expect(stored.document.envVars).toMatchObject({
      AWS_SECRET_ACCESS_KEY: expect.stringMatching(/^hmac:[0-9a-f]{32}$/),
      DATABASE_URL: expect.stringMatching(/^hmac:/),
    });
    expect(stdout + stored.stdout).not.toContain(secret);
    const text = await sandbox.run(['capture'], { env: secrets });
    expect(text.stdout).toMatch(/Stored snapshot [0-9a-f-]{36}/);
    expect(text.stdout).toContain('2 secrets');
  });

  it('keys fingerprints with the project key, in dry runs too, and with a new one after a rotation', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, server.url);
    const stored = await sandbox.json(['capture'], { env: secrets });
    const [profile] = Object.values(JSON.parse(readFileSync(sandbox.configFile, 'utf8')).profiles) as {
      apiKey: string;
    }[];
    expect(statSync(sandbox.configFile).mode & 0o777).toBe(0o600);
    const client = new EnvSnap({ baseUrl: server.url, apiKey: profile?.apiKey ?? '' });
    const { id, key } = await client.fingerprintKey.get();
    expect(readFileSync(sandbox.configFile, 'utf8')).not.toContain(key);
    const expected = createHmac('sha256', Buffer.from(key, 'hex'))
      .update(`AWS_SECRET_ACCESS_KEY\0${secrets.AWS_SECRET_ACCESS_KEY}`)
      .digest('hex');
    expect(stored.document.envVars.AWS_SECRET_ACCESS_KEY).toBe(`hmac:${expected.slice(0, 32)}`);
    expect(stored.document.metadata.capture.fingerprintKey).toBe(id);

    const shown = await sandbox.json(['capture', '--dry-run'], { env: secrets });
    expect(shown.document.envVars).toEqual(stored.document.envVars);
    const away = { ...secrets, ENVSNAP_BASE_URL: 'http://127.0.0.1:9' };
    const offline = await sandbox.json(['capture', '--dry-run'], { env: away });
    expect(offline.document.envVars.AWS_SECRET_ACCESS_KEY).toBe('[redacted]');
    const file = await sandbox.json(['capture', '--output', '-'], { env: secrets });
    expect(file.document.envVars.AWS_SECRET_ACCESS_KEY).toBe('[redacted]');

    await client.fingerprintKey.rotate();
    const after = await sandbox.json(['capture'], { env: secrets });
    expect(after.document.envVars.AWS_SECRET_ACCESS_KEY).not.toBe(
      stored.document.envVars.AWS_SECRET_ACCESS_KEY,
    );
    const comparison = await sandbox.json(['compare', stored.document.id, after.document.id]);
    expect(comparison.document.verdict).toBe('equal');
    expect(comparison.document.notes.map((note: { code: string }) => note.code)).toContain(
      'fingerprint_keys_differ',
    );
  });

  it('exits 5 with advice when the project is full, and 3 for a viewer', { tags: 'release' }, async () => {
    const small = await startServerProcess({ ENVSNAP_MAX_SNAPSHOTS: '1' });
    const sandbox = createSandbox();
    await createProject(sandbox, small.url);
    await sandbox.run(['capture']);
    const full = await sandbox.run(['capture']);
    expect(full.exitCode).toBe(5);
    expect(full.stderr).toContain('Snapshot quota exceeded (max 1)');
    expect(full.stderr).toContain('envsnap snapshot delete');
    const { document } = await sandbox.json(['key', 'create', '--role', 'viewer']);
    const refused = await sandbox.json(['capture', '--api-key-stdin'], { stdin: document.apiKey });
    expect(refused.exitCode).toBe(3);
    expect(refused.document.error.code).toBe('role_forbidden');
  });
});
