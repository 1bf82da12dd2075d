// The commands over the service, run as processes against a real server.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EnvSnap } from '@envsnap/sdk';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  createProject,
  createSandbox,
  type Sandbox,
  type ServerProcess,
  startServerProcess,
} from '../support/programs.ts';

let server: ServerProcess;
beforeAll(async () => {
  server = await startServerProcess({
    ENVSNAP_MAX_SNAPSHOTS: '4',
    ENVSNAP_MAX_FILES: '2',
    ENVSNAP_WEBHOOK_ALLOW: '127.0.0.0/8',
  });
});

/** A sandbox with a new project, and a client with its owner's key. */
async function project(): Promise<Sandbox & { client: EnvSnap; projectId: string; apiKeyId: string }> {
  const sandbox = createSandbox();
  const { apiKey, ...ids } = await createProject(sandbox, server.url);
  return { ...sandbox, client: new EnvSnap({ baseUrl: server.url, apiKey }), ...ids };
}

describe('project, key and team', () => {
  it('make, show, change and delete', async () => {
    const owner = await project();
    expect(
      (await owner.run(['project', 'update', '--name', 'Web shop', '--description', 'sells'])).exitCode,
    ).toBe(0);
    const shown = await owner.json(['project', 'show']);
    expect(shown.document).toMatchObject({ name: 'Web shop', description: 'sells', counts: { members: 1 } });
    const other = await owner.json(['project', 'create', 'Other', '--save-profile', 'other']);
    expect(other.document).toMatchObject({ name: 'Other', profile: 'other' });
    expect(other.stdout).not.toMatch(/mk_/);
    expect((await owner.json(['whoami', '--profile', 'other'])).document.projectName).toBe('Other');
    const foreign = await owner.run(['project', 'show', owner.projectId, '--profile', 'other']);
    expect(foreign.exitCode).toBe(3);
    const unasked = await owner.run(['project', 'delete', owner.projectId, '--profile', 'default']);
    expect(unasked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(
      (await owner.run(['project', 'delete', owner.projectId, '--yes', '--profile', 'default'])).exitCode,
    ).toBe(0);
    expect((await owner.run(['whoami', '--profile', 'default'])).exitCode).toBe(3);
  });

  it('invite, change a role and remove; the removed key is refused', { tags: 'release' }, async () => {
    const owner = await project();
    const invited = (await owner.json(['team', 'invite', '--label', 'Ada', '--role', 'viewer'])).document;
    const ada = { ENVSNAP_API_KEY: invited.apiKey, ENVSNAP_BASE_URL: server.url };
    expect((await owner.run(['key', 'create'], { env: ada })).exitCode).toBe(3);
    expect((await owner.run(['team', 'role', invited.memberId, 'admin'])).exitCode).toBe(0);
    expect((await owner.run(['key', 'create'], { env: ada })).exitCode).toBe(0);
    const listed = await owner.run(['team', 'list']);
    expect(listed.stdout).toMatch(/Ada +admin/);
    expect((await owner.run(['team', 'remove', invited.memberId, '--yes'])).exitCode).toBe(0);
    const refused = await owner.json(['whoami'], { env: ada });
    expect(refused).toMatchObject({ exitCode: 3, stderr: '' });
    expect(refused.document.error).toMatchObject({
      code: 'invalid_api_key',
      status: 401,
      requestId: expect.any(String),
    });
  });

  it('show a new key once, list its beginning only, and revoke it', async () => {
    const owner = await project();
    const made = await owner.run(['key', 'create', '--label', 'ci']);
    const key = /mk_[0-9a-f]{64}/.exec(made.stdout)?.[0] ?? '';
    const listed = await owner.run(['key', 'list']);
    expect(listed.stdout).toContain(key.slice(0, 11));
    expect(listed.stdout).not.toContain(key.slice(0, 12));
    const own = await owner.run(['key', 'revoke', owner.apiKeyId, '--yes']);
    expect(own.exitCode).toBe(3);
    expect((await owner.run(['key', 'revoke', 'nothing', '--yes'])).exitCode).toBe(2);
    expect(
      (await owner.run(['key', 'revoke', '00000000-0000-7000-8000-000000000000', '--yes'])).exitCode,
    ).toBe(4);
  });
});

describe('snapshot', () => {
  it('lists with filters and pages, shows without values, deletes', { tags: 'release' }, async () => {
    const owner = await project();
    const ids: string[] = [];
    for (const machineName of ['a', 'b', 'b']) {
      const { id } = await owner.client.snapshots.create({
        machineName,
        os: 'linux',
        envVars: { TOKEN_NAME: 'value-of-variable' },
        dependencies: { 'package-lock.json': { zod: '4.0.0' } },
      });
      ids.push(id);
    }
    const page = await owner.json(['snapshot', 'list', '--limit', '2']);
    expect(page.document).toMatchObject({ total: 3, limit: 2 });
    expect(page.document.snapshots.map((snapshot: { id: string }) => snapshot.id)).toEqual([ids[2], ids[1]]);
    expect((await owner.json(['snapshot', 'list', '--all', '--machine', 'b'])).document.total).toBe(2);
    expect((await owner.run(['snapshot', 'list', '--from', 'yesterday'])).exitCode).toBe(2);
    const shown = await owner.run(['snapshot', 'show', ids[0] ?? '']);
    expect(shown.stdout).toContain('package-lock.json  1 package');
    expect(shown.stdout).not.toContain('value-of-variable');
    expect((await owner.run(['snapshot', 'show', ids[0] ?? '', '--show-values'])).stdout).toContain(
      'value-of-variable',
    );
    expect((await owner.json(['snapshot', 'show', 'latest'])).document.id).toBe(ids[2]);
    expect((await owner.json(['snapshot', 'show', 'latest:a'])).document.id).toBe(ids[0]);
    expect((await owner.run(['snapshot', 'show', 'latest:c'])).exitCode).toBe(4);
    expect((await owner.run(['snapshot', 'delete', ids[0] ?? '', '--yes'])).exitCode).toBe(0);
    expect((await owner.run(['snapshot', 'show', ids[0] ?? ''])).exitCode).toBe(4);
  });

  it('takes the beginning of an id when it is long enough', { tags: 'release' }, async () => {
    const owner = await project();
    const { id } = await owner.client.snapshots.create({ machineName: 'a' });
    await owner.client.snapshots.create({ machineName: 'b' });
    expect((await owner.json(['snapshot', 'show', id.slice(0, 8)])).document.id).toBe(id);
    expect((await owner.run(['snapshot', 'show', id.slice(0, 7)])).exitCode).toBe(2);
    expect((await owner.run(['snapshot', 'show', 'ffffffff'])).exitCode).toBe(4);
  });

  it('neutralises what could steer a terminal', async () => {
    const owner = await project();
    await owner.client.snapshots.create({ machineName: 'evil\u001b[2J\u202ename\r\n' });
    const { stdout } = await owner.run(['snapshot', 'list']);
    expect(stdout).toContain('evil\\x1b[2J\\u202ename\\r\\n');
    expect(stdout).not.toContain('\u001b');
    const json = await owner.json(['snapshot', 'list']);
    expect(json.document.snapshots[0].machineName).toBe('evil\u001b[2J\u202ename\r\n');
  });
});

describe('file', () => {
  it('is uploaded and downloaded unchanged, and never overwrites a file unasked', {
    tags: 'release',
  }, async () => {
    const owner = await project();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
    writeFileSync(path.join(owner.cwd, 'data.bin'), bytes);
    const { document: stored } = await owner.json(['file', 'upload', 'data.bin']);
    expect(stored).toMatchObject({ filename: 'data.bin', size: 300_000 });
    const refused = await owner.run(['file', 'download', stored.id]);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('--force');
    mkdirSync(path.join(owner.cwd, 'in'));
    const saved = await owner.json(['file', 'download', stored.id, '--output', 'in']);
    expect(saved.document.savedAs).toBe('in/data.bin');
    expect(readFileSync(path.join(owner.cwd, 'in/data.bin')).equals(bytes)).toBe(true);
    writeFileSync(path.join(owner.cwd, 'data.bin'), 'changed');
    expect((await owner.run(['file', 'download', stored.id, '--force'])).exitCode).toBe(0);
    expect(readFileSync(path.join(owner.cwd, 'data.bin')).equals(bytes)).toBe(true);
    expect((await owner.run(['file', 'delete', stored.id, '--yes'])).exitCode).toBe(0);
    expect((await owner.run(['file', 'download', stored.id])).exitCode).toBe(4);
  });

  it('takes standard input and writes to standard output', async () => {
    const owner = await project();
    const uploaded = await owner.json(['file', 'upload', '-', '--name', 'notes.txt'], {
      stdin: 'piped text',
    });
    expect((await owner.run(['file', 'download', uploaded.document.id, '--output', '-'])).stdout).toBe(
      'piped text',
    );
    expect((await owner.run(['file', 'upload', '-'], { stdin: 'x' })).stderr).toContain('--name');
  });

  it('writes a stored name that tries to leave the folder into the folder', async () => {
    const owner = await project();
    const { id } = await owner.client.files.upload({ content: 'x', filename: '..\\..\\up' });
    const { document } = await owner.json(['file', 'download', id]);
    expect(path.dirname(document.savedAs)).toBe('.');
    expect(existsSync(path.join(owner.cwd, document.savedAs))).toBe(true);
  });

  it('exits 5 when the quota is reached, 4 for a file that is not there', async () => {
    const owner = await project();
    for (const content of ['1', '2']) await owner.client.files.upload({ content, filename: 'f' });
    writeFileSync(path.join(owner.cwd, 'third'), '3');
    const full = await owner.run(['file', 'upload', 'third']);
    expect(full.exitCode).toBe(5);
    expect(full.stderr).toContain('File quota exceeded (max 2)');
    expect((await owner.run(['file', 'upload', 'absent'])).exitCode).toBe(4);
    expect((await owner.run(['file', 'upload', '.'])).exitCode).toBe(2);
  });
});

describe('webhook', () => {
  it('is made with a secret shown once, listed, switched off, deleted', async () => {
    const owner = await project();
    const made = await owner.run(['webhook', 'create', 'https://example.com/hook', '-e', 'snapshot.created']);
    expect(made.stdout).toMatch(/secret +whsec_/);
    const { document } = await owner.json(['webhook', 'list']);
    const [{ id }] = document.webhooks;
    expect((await owner.run(['webhook', 'list'])).stdout).not.toContain('whsec_');
    expect((await owner.json(['webhook', 'update', id, '--no-active'])).document).toMatchObject({
      active: false,
    });
    expect((await owner.run(['webhook', 'update', id])).exitCode).toBe(2);
    expect((await owner.run(['webhook', 'create', 'https://e.example', '-e', 'nothing'])).exitCode).toBe(2);
    expect((await owner.run(['webhook', 'delete', id, '--yes'])).exitCode).toBe(0);
    expect((await owner.run(['webhook', 'show', id])).exitCode).toBe(4);
  });

  it('is received, verified and printed by listen --register, which cleans up after Ctrl-C', {
    tags: 'release',
  }, async () => {
    const owner = await project();
    const listening = owner.start(['webhook', 'listen', '--register', '--port', '0']);
    await listening.waitFor('stderr', /Listening on http:\/\/127\.0\.0\.1:\d+/);
    const { document } = await owner.json(['webhook', 'list']);
    const tested = await owner.run(['webhook', 'test', document.webhooks[0].id]);
    expect(tested).toMatchObject({ exitCode: 0, stderr: '' });
    await listening.waitFor('stdout', /✓ {2}webhook\.test/);
    await owner.client.snapshots.create({ machineName: 'listened' });
    await listening.waitFor('stdout', /snapshot\.created .*"machineName":"listened"/);
    listening.child.kill('SIGINT');
    expect((await listening.finished).exitCode).toBe(130);
    expect((await owner.json(['webhook', 'list'])).document.webhooks).toEqual([]);
  });

  it('is refused by listen when the signature is of another secret', { tags: 'release' }, async () => {
    const owner = await project();
    const listening = owner.start(
      ['webhook', 'listen', '--secret-stdin', '--port', '0', '--count', '1', '--json'],
      { stdin: 'another secret' },
    );
    const [, url = ''] = await listening.waitFor('stderr', /Listening on (\S+)/);
    const { document: webhook } = await owner.json(['webhook', 'create', url]);
    const tested = await owner.json(['webhook', 'test', webhook.id]);
    expect(tested.exitCode).toBe(7);
    expect(tested.document.delivery).toMatchObject({ success: false, responseStatus: 400 });
    const { exitCode, stdout } = await listening.finished;
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).deliveries).toEqual([
      expect.objectContaining({ verified: false, payload: null }),
    ]);
  });

  it('is forwarded by listen --forward-to, byte for byte, and the response is passed back', async () => {
    const owner = await project();
    const behind = owner.start('webhook listen --no-verify --port 0 --count 1 --json-lines'.split(' '));
    const [, target = ''] = await behind.waitFor('stderr', /Listening on (\S+)/);
    const front = owner.start(['webhook', 'listen', '--register', '--port', '0', '--forward-to', target]);
    await front.waitFor('stderr', /Listening/);
    await owner.client.snapshots.create({ machineName: 'passed on' });
    const { stdout } = await behind.finished;
    expect(JSON.parse(stdout).payload).toMatchObject({
      event: 'snapshot.created',
      data: { machineName: 'passed on' },
    });
    await front.waitFor('stdout', /→ 200/);
  });
});

describe('usage', () => {
  it('shows quotas, the history as bars, and the live feed', { tags: 'release' }, async () => {
    const owner = await project();
    await owner.client.snapshots.create({ machineName: 'm' });
    expect((await owner.run(['usage'])).stdout).toMatch(/snapshots +1 +4 +█/);
    await expect
      .poll(async () => (await owner.run(['usage', 'requests', '--period', 'hour'])).stdout)
      .toMatch(/█[\s\S]*\/machine\/snapshots +201 +1/);
    const live = await owner.json(['usage', 'live', '--limit', '1']);
    expect(live.document.requests).toHaveLength(1);
    expect((await owner.run(['usage', 'requests', '--from', 'x'])).exitCode).toBe(2);
  });

  it('follows the feed until Ctrl-C, and shows each request once', async () => {
    const owner = await project();
    const { apiKey } = JSON.parse(readFileSync(owner.configFile, 'utf8')).profiles.default;
    await owner.client.files.list();
    const isLogged = async () => JSON.stringify((await owner.client.usage.live()).requests);
    await expect.poll(isLogged).toContain('"/machine/files"');
    const follow = ['usage', 'live', '--follow', '--interval', '1', '--limit', '1', '--json-lines'];
    const following = owner.start([...follow, '--api-key-stdin'], { stdin: apiKey });
    await owner.client.projects.list();
    await following.waitFor('stdout', /"\/machine\/projects"/);
    await owner.client.webhooks.list();
    await following.waitFor('stdout', /"\/machine\/webhooks"/);
    following.child.kill('SIGINT');
    const { exitCode, stdout } = await following.finished;
    expect(exitCode).toBe(130);
    expect(stdout.match(/"\/machine\/projects"/g)).toHaveLength(1);
    // It is older than the one that --limit selects.
    expect(stdout).not.toContain('"/machine/files"');
  });
});

describe('a rate limit', () => {
  it('is reported with exit code 5 and the seconds to wait', { tags: 'release' }, async () => {
    const limited = await startServerProcess({ ENVSNAP_RATE_PER_MINUTE: '2' });
    const sandbox = createSandbox();
    const saved = await sandbox.run(['init', '--base-url', limited.url, '--project-name', 'x']);
    expect(saved.exitCode).toBe(0);
    const { apiKey } = JSON.parse(readFileSync(sandbox.configFile, 'utf8')).profiles.default;
    const client = new EnvSnap({ baseUrl: limited.url, apiKey, retries: 0 });
    await Promise.all([client.projects.list(), client.projects.list()]);
    const { exitCode, document } = await sandbox.json(['whoami']);
    expect(exitCode).toBe(5);
    expect(document.error).toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfterSeconds: expect.any(Number),
    });
  });
});
