// init, profile and whoami: where the key is stored, and which settings win.

import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  type ConnectionFlags,
  getConnection,
  requireBaseUrl,
} from '../../packages/cli/src/connection/settings.ts';
import {
  createProject,
  createSandbox,
  type Sandbox,
  type ServerProcess,
  startServerProcess,
} from '../support/programs.ts';
import { words } from '../support/words.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess();
});

const init = (sandbox: Sandbox, name = 'shop', ...more: string[]) =>
  sandbox.run(['init', '--base-url', server.url, '--project-name', name, ...more]);

describe('init', () => {
  it('makes a project and saves its key for the user alone', async () => {
    const sandbox = createSandbox();
    const { exitCode, stdout, stderr } = await init(sandbox, 'Shop');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toContain('Created project Shop');
    expect(stdout).not.toMatch(/mk_[0-9a-f]{12}/);
    expect(statSync(sandbox.configFile).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(sandbox.configFile)).mode & 0o777).toBe(0o700);
    const saved = JSON.parse(readFileSync(sandbox.configFile, 'utf8'));
    expect(saved).toMatchObject({
      current: 'default',
      profiles: { default: { baseUrl: server.url, apiKey: expect.stringMatching(/^mk_[0-9a-f]{64}$/) } },
    });
  });

  it('adopts a key from standard input, and refuses one that the server does not know', {
    tags: 'release',
  }, async () => {
    const owner = createSandbox();
    await init(owner);
    const { document: key } = await owner.json(['key', 'create', '--role', 'viewer']);
    const sandbox = createSandbox();
    const args = ['init', '--base-url', server.url, '--api-key-stdin'];
    const adopted = await sandbox.json([...args, '--profile', 'read'], { stdin: `${key.apiKey}\n` });
    expect(adopted.document).toMatchObject({
      profile: 'read',
      role: 'viewer',
      projectName: 'shop',
      created: false,
    });
    expect(adopted.stdout).not.toContain(key.apiKey);
    await owner.run(['key', 'revoke', key.apiKeyId, '--yes']);
    const refused = await createSandbox().run(args, { stdin: key.apiKey });
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain('Invalid API key');
  });

  it('names the missing flag where nobody can be asked', async () => {
    const { exitCode, stdout, stderr } = await createSandbox().run(['init', '--base-url', server.url]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('--project-name');
  });

  it('keeps a profile that exists unless --force is given', async () => {
    const sandbox = createSandbox();
    await init(sandbox, 'first');
    const before = readFileSync(sandbox.configFile, 'utf8');
    const refused = await init(sandbox, 'second');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--force');
    expect(readFileSync(sandbox.configFile, 'utf8')).toBe(before);
    expect((await init(sandbox, 'second', '--force')).exitCode).toBe(0);
    expect((await sandbox.json(['whoami'])).document.projectName).toBe('second');
  });

  it('asks the server for nothing when the key could not be saved', async () => {
    const sandbox = createSandbox();
    mkdirSync(path.join(sandbox.home, '.config'), { recursive: true });
    writeFileSync(path.join(sandbox.home, '.config/envsnap'), 'a file where the folder should be');
    const { exitCode, stderr } = await sandbox.run(
      words`init --project-name x --base-url http://127.0.0.1:1`,
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('cannot be');
  });

  it('exits 6 when no server responds, and warns about plain http to another machine', async () => {
    const unreachable = await createSandbox().run(words`init --project-name x --base-url http://127.0.0.1:1`);
    expect(unreachable.exitCode).toBe(6);
    expect(unreachable.stderr).not.toContain('unencrypted');
    const env = { NODE_EXTRA_CA_CERTS: '/nonexistent/ca.pem' };
    const far = await createSandbox().run(['init', '--base-url', 'http://envsnap.invalid'], {
      stdin: '',
      env,
    });
    expect(far.stderr).toContain('unencrypted');
    expect(far.stderr).toContain('NODE_EXTRA_CA_CERTS names /nonexistent/ca.pem, which does not exist');
  });
});

describe('settings', () => {
  it('are read from a file that begins with a byte order mark, and never from the working folder', async () => {
    const profile = { baseUrl: 'http://127.0.0.1:9', apiKey: 'k', projectId: 'p', projectName: 'p' };
    const own = createSandbox();
    mkdirSync(path.dirname(own.configFile), { recursive: true });
    writeFileSync(own.configFile, `\uFEFF${JSON.stringify({ profiles: { notepads: profile } })}`);
    expect((await own.run(['profile', 'list'])).stdout).toContain('notepads');
    // If HOME is empty, the settings folder must not be in the working folder.
    const strangers = createSandbox();
    const planted = path.join(strangers.cwd, '.config/envsnap');
    mkdirSync(planted, { recursive: true });
    writeFileSync(path.join(planted, 'profiles.json'), JSON.stringify({ profiles: { planted: profile } }));
    for (const HOME of ['', '.', undefined]) {
      const { stdout } = await strangers.run(['profile', 'list'], {
        env: { HOME, XDG_CONFIG_HOME: undefined },
      });
      expect(stdout).not.toContain('planted');
    }
  });

  it('win in the order flag, variable, profile', async () => {
    const sandbox = createSandbox();
    const { apiKey: first } = await createProject(sandbox, server.url);
    const { apiKey: second } = await createProject(sandbox, server.url, { profile: 'second' });
    const { apiKey: third, apiKeyId } = await createProject(sandbox, server.url, { profile: 'third' });
    await sandbox.run(['profile', 'use', 'default']);
    const connect = async (flags: ConnectionFlags, env: Record<string, string> = {}) => {
      vi.unstubAllEnvs();
      const cleared = { ENVSNAP_API_KEY: '', ENVSNAP_BASE_URL: '', ENVSNAP_PROFILE: '' };
      for (const [name, value] of Object.entries({
        ...cleared,
        XDG_CONFIG_HOME: sandbox.env.XDG_CONFIG_HOME,
        ...env,
      }))
        vi.stubEnv(name, value);
      const { apiKey, apiKeySource, baseUrl, baseUrlSource } = await getConnection(flags);
      return { apiKey, apiKeySource, baseUrl, baseUrlSource };
    };
    const atProfile = { baseUrl: server.url, baseUrlSource: 'profile' };
    const ofProfile = { ...atProfile, apiKeySource: 'profile' };
    expect(await connect({})).toEqual({ ...ofProfile, apiKey: first });
    expect(await connect({}, { ENVSNAP_PROFILE: 'second' })).toEqual({ ...ofProfile, apiKey: second });
    const named = await connect({ profile: 'third' }, { ENVSNAP_PROFILE: 'second' });
    expect(named).toEqual({ ...ofProfile, apiKey: third });
    const env = { ENVSNAP_API_KEY: second };
    expect(await connect({}, env)).toEqual({ ...atProfile, apiKey: second, apiKeySource: 'variable' });
    const address = { ENVSNAP_BASE_URL: 'http://127.0.0.1:1' };
    const elsewhere = { apiKey: first, apiKeySource: 'profile', baseUrl: address.ENVSNAP_BASE_URL };
    expect(await connect({}, address)).toEqual({ ...elsewhere, baseUrlSource: 'variable' });
    expect((await connect({ 'base-url': server.url }, address)).baseUrlSource).toBe('flag');
    await sandbox.run(['profile', 'use', 'second']);
    const { document } = await sandbox.json(['whoami', '--api-key-stdin'], { env, stdin: third });
    expect(document.apiKeyId).toBe(apiKeyId);
    expect((await sandbox.run(['whoami'], { env: address })).exitCode).toBe(6);
  });

  it('work without any config file when key and address are variables', async () => {
    const owner = createSandbox();
    const { apiKey } = await createProject(owner, server.url);
    const sandbox = createSandbox();
    mkdirSync(path.dirname(sandbox.configFile), { recursive: true });
    writeFileSync(sandbox.configFile, '{ damaged');
    const env = { ENVSNAP_API_KEY: apiKey, ENVSNAP_BASE_URL: `${server.url}/` };
    expect((await sandbox.json(['whoami'], { env })).document).toMatchObject({
      profile: null,
      role: 'owner',
    });
  });

  it('that are absent or wrong end with exit code 2 or 3 and advice', async () => {
    const sandbox = createSandbox();
    const nothing = await sandbox.run(['whoami']);
    expect(nothing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(nothing.stderr).toContain('envsnap init');
    expect((await sandbox.run(['whoami', '--profile', 'x'])).stderr).toContain('no profile "x"');
    expect((await sandbox.run(['whoami'], { env: { ENVSNAP_API_KEY: 'mk_short' } })).exitCode).toBe(3);
    await createProject(sandbox, server.url);
    for (const url of ['localhost:4780', 'ftp://host', 'http://user:pw@host', 'http://host/?q=1'])
      expect(() => requireBaseUrl(url, '--base-url'), url).toThrow('--base-url');
    const { exitCode, stderr } = await sandbox.run(['whoami', '--base-url', 'ftp://host']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--base-url');
    mkdirSync(path.dirname(sandbox.configFile), { recursive: true });
    writeFileSync(sandbox.configFile, '{"profiles": {"default": 7}}');
    const damaged = await sandbox.run(['whoami']);
    expect(damaged.exitCode).toBe(2);
    expect(damaged.stderr).toContain(sandbox.configFile);
  });

  it('never show a key in an error', async () => {
    const key = `mk_${'0123456789abcdef'.repeat(4)}`;
    const { stdout, stderr } = await createSandbox().run(['whoami', '--json'], {
      env: { ENVSNAP_API_KEY: key },
    });
    expect(stdout + stderr).not.toContain(key.slice(0, 20));
  });
});

describe('profile', () => {
  it('lists without keys, switches and removes', async () => {
    const sandbox = createSandbox();
    await createProject(sandbox, server.url, { profile: 'a' });
    await createProject(sandbox, server.url, { profile: 'b' });
    const listed = await sandbox.json(['profile', 'list']);
    expect(
      listed.document.profiles.map((profile: { name: string; current: boolean }) => [
        profile.name,
        profile.current,
      ]),
    ).toEqual([
      ['a', false],
      ['b', true],
    ]);
    expect(listed.stdout).not.toMatch(/mk_[0-9a-f]{9}/);
    expect((await sandbox.run(['profile', 'use', 'a'])).exitCode).toBe(0);
    expect((await sandbox.run(['profile', 'use', 'c'])).exitCode).toBe(4);
    const unasked = await sandbox.run(['profile', 'remove', 'a']);
    expect(unasked.exitCode).toBe(2);
    expect(unasked.stderr).toContain('--yes');
    expect((await sandbox.json(['profile', 'remove', 'a', '--yes'])).document).toEqual({
      removed: 'a',
      current: 'b',
    });
    expect((await sandbox.run(['profile', 'remove', '__proto__', '--yes'])).exitCode).toBe(4);
  });
});

describe('doctor', () => {
  it('finds no problem after init', async () => {
    const sandbox = createSandbox();
    await init(sandbox);
    const { exitCode, document } = await sandbox.json(['doctor']);
    expect(exitCode).toBe(0);
    expect(document.ok).toBe(true);
    expect(document.checks.map((check: { name: string }) => check.name)).toContain('clock');
  });

  it('reports a config that others can read, an absent server and a refused key, each with its exit code', {
    tags: 'release',
  }, async () => {
    const sandbox = createSandbox();
    expect((await sandbox.run(['doctor'])).exitCode).toBe(0);
    const env = { ENVSNAP_BASE_URL: server.url };
    expect((await sandbox.run(['doctor'], { env })).exitCode).toBe(2);
    await createProject(sandbox, server.url);
    chmodSync(sandbox.configFile, 0o644);
    expect((await sandbox.run(['doctor'])).stdout).toContain('chmod 600');
    expect((await sandbox.run(['doctor', '--base-url', 'http://127.0.0.1:1'])).exitCode).toBe(6);
    const { document } = await sandbox.json(['key', 'create']);
    await sandbox.run(['key', 'revoke', document.apiKeyId, '--yes']);
    expect((await sandbox.run(['doctor', '--api-key-stdin'], { stdin: document.apiKey })).exitCode).toBe(3);
  });
});

it('advises commands that use the same server as the flags', { tags: 'release' }, async () => {
  const sandbox = createSandbox();
  await createProject(sandbox, server.url);
  await createProject(sandbox, server.url, { profile: 'two' });
  await sandbox.run(['profile', 'use', 'default']);
  const run = async (...words: string[]) => {
    const { stdout, stderr } = await sandbox.run([...words, '--profile', 'two']);
    return stdout + stderr;
  };
  await run('capture', '--machine-name', 'a');
  const stored = await sandbox.run(['capture', '--machine-name', 'a', '--profile', 'two'], {
    env: { APP_MODE: 'strict' },
  });
  expect(stored.stdout).toContain('Next: envsnap compare --profile two shows');
  await run('capture', '--machine-name', 'b');
  expect(await run('matrix', '--key', 'env:APP_MODE')).toMatch(/Next: envsnap compare .* --profile two$/m);
  expect(await run('history', 'env:APP_MODE')).toMatch(/Next: envsnap compare \S+ \S+ --profile two$/m);
});
