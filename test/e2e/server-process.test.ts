import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../packages/server/src/infra/db/connection.ts';
import { multipart } from '../server/api/world.ts';
import { temporaryFolder } from '../support/databases.ts';
import { type Finished, runServerCommand, runServerCommandHere, startServerIn } from '../support/programs.ts';
import { openRaw } from '../support/raw-http.ts';

const keyOne = '01'.repeat(32);
const keyTwo = '02'.repeat(32);

/** Every file under a folder with the digest of its content. */
function contentsOf(folder: string): Record<string, string> {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')]),
  );
}

function start(dataDir: string, env: Record<string, string> = {}, args: readonly string[] = ['--port', '0']) {
  return runServerCommandHere(['start', '--data-dir', dataDir, ...args], env);
}

/** Expects one line on standard error that says what is wrong, the exit code (2 by default), and nothing else. */
function expectRefusal(finished: Finished, pattern: RegExp, exitCode = 2): void {
  expect([finished.stdout, finished.exitCode]).toEqual(['', exitCode]);
  expect(finished.stderr).toMatch(/^envsnap-server: [^\n]+\n$/);
  expect(finished.stderr).toMatch(pattern);
}

async function request(
  url: string,
  method: string,
  key: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await fetch(url, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    ...(body === undefined
      ? {}
      : { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

async function bootstrap(url: string) {
  return (await request(`${url}/machine/keys/bootstrap`, 'POST', '', { projectName: 'p' })).body;
}

describe('a start that cannot be', () => {
  it('for a setting that does not parse names it in one line, without its value, and writes nothing', {
    tags: 'release',
  }, async () => {
    const folder = path.join(temporaryFolder(), 'data');
    // The other settings: test/server/config.test.ts.
    for (const [name, value] of [
      ['ENVSNAP_ENCRYPTION_KEY', 'too-short-canary'],
      ['DATABASE_URL', 'mysql://user:canary@host/db'],
    ] as const) {
      const finished = await start(folder, { [name]: value });
      expectRefusal(finished, new RegExp(name));
      expect(finished.stderr).not.toContain('canary');
      expect([name, existsSync(folder)]).toEqual([name, false]);
    }
    // In a separate process.
    const env = { ENVSNAP_ENCRYPTION_KEY: 'too-short-canary' };
    expectRefusal(
      await runServerCommand(['start', '--port', '0', '--data-dir', folder], { env }),
      /ENVSNAP_ENCRYPTION_KEY/,
    );
    expectRefusal(
      await start(folder, { DATABASE_URL: 'postgres://u:canary@127.0.0.1:1/x' }),
      /ENVSNAP_ENCRYPTION_KEY/,
    );
    expect(contentsOf(folder)).toEqual({});
  });

  it('for a folder that cannot be used names it', { tags: 'release' }, async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    for (const bad of [path.join(folder, 'file'), path.join(folder, 'file/data')])
      expectRefusal(await start(bad), /cannot (use the data folder|open the database)/);
    expect(Object.keys(contentsOf(folder))).toEqual([path.join(folder, 'file')]);
    const rubbish = path.join(folder, 'rubbish');
    mkdirSync(rubbish);
    writeFileSync(
      path.join(rubbish, 'envsnap.db'),
      'this is not a database, but long enough to look like one'.repeat(100),
    );
    const before = contentsOf(rubbish);
    expectRefusal(await start(rubbish), /cannot open the database file/);
    expect(contentsOf(rubbish)).toEqual(before);
  });

  it('for a wrong, missing or lost master key, or a newer schema, leaves the database as it was', async () => {
    const folder = temporaryFolder();
    const data = path.join(folder, 'data');
    const first = await startServerIn(folder, { ENVSNAP_ENCRYPTION_KEY: keyOne });
    await bootstrap(first.url);
    first.running.child.kill('SIGINT');
    expect((await first.running.finished).exitCode).toBe(0);
    const before = contentsOf(data);
    expect(Object.keys(before)).toEqual(['envsnap.db', 'reserve'].map((name) => path.join(data, name)));
    expectRefusal(await start(data, { ENVSNAP_ENCRYPTION_KEY: keyTwo }), /needs master key [0-9a-f]{16}/);
    expectRefusal(await start(data), /needs master key [0-9a-f]{16}.*restore the file, or set the variable/);
    expect(contentsOf(data)).toEqual(before);
    const database = await openDatabase({ url: undefined, dataDir: data });
    const migration = { name: '9999_from_the_future', applied_at: 1 };
    await database.run(database.dialect.builder('schema_migrations').insert(migration));
    await database.close();
    const newer = contentsOf(data);
    expectRefusal(
      await start(data, { ENVSNAP_ENCRYPTION_KEY: keyOne }),
      /schema that this envsnap-server does not know.*9999_from_the_future/,
    );
    expect(contentsOf(data)).toEqual(newer);
  });
});

describe('a running server', () => {
  it('warns if others may read an existing data folder', { tags: 'release' }, async () => {
    const open = temporaryFolder();
    mkdirSync(path.join(open, 'data'));
    chmodSync(path.join(open, 'data'), 0o755);
    const warned = await startServerIn(open);
    await warned.running.waitFor('stderr', /other users can read the data folder/);
    expect(statSync(path.join(open, 'data')).mode & 0o777).toBe(0o755);
  });

  it('logs each migration of its first start with the version that made it, and none of the next', {
    tags: 'release',
  }, async () => {
    const folder = temporaryFolder();
    const logs: string[] = [];
    for (const _ of [1, 2]) {
      const server = await startServerIn(folder);
      server.running.child.kill('SIGTERM');
      logs.push((await server.running.finished).stderr);
    }
    const migrated = (log = '') => log.split('\n').filter((line) => line.includes('"msg":"migrated"'));
    expect(migrated(logs[0]).map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({
        migration: expect.stringMatching(/^0001_schema_/),
        ms: expect.any(Number),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      }),
    );
    expect(migrated(logs[1])).toEqual([]);
  });

  it('keeps its folder for its owner only, with no secret in clear in any file or in its log', async () => {
    const folder = temporaryFolder();
    const server = await startServerIn(folder, {
      ENVSNAP_LOG_LEVEL: 'trace',
      ENVSNAP_BOOTSTRAP: 'token',
      ENVSNAP_BOOTSTRAP_TOKEN: 'canary-bootstrap-token',
    });
    const token = { 'x-bootstrap-token': 'canary-bootstrap-token' };
    const { apiKey: key, projectId } = (
      await request(
        `${server.url}/machine/keys/bootstrap`,
        'POST',
        '',
        { projectName: 'p' },
        { ...token, 'idempotency-key': 'b'.repeat(32) },
      )
    ).body;
    const keys = [key];
    for (const [where, body] of [
      ['/machine/keys', {}],
      [`/machine/team/${projectId}/members`, {}],
    ] as const)
      keys.push(
        (await request(server.url + where, 'POST', key, body, { 'idempotency-key': 'k' })).body.apiKey,
      );
    const hooks = [];
    for (const secret of [undefined, 'canary-webhook-secret']) {
      const body = { url: 'http://127.0.0.1:9/', events: ['snapshot.created'], secret };
      hooks.push(
        (
          await request(`${server.url}/machine/webhooks`, 'POST', key, body, {
            'idempotency-key': `${secret}`,
          })
        ).body.secret,
      );
    }
    const snapshot = {
      machineName: 'm',
      envVars: { NAME: 'canary-variable-value', LONG: 'canary-long '.repeat(5000) },
    };
    const made = await request(`${server.url}/machine/snapshots`, 'POST', key, snapshot, {
      'idempotency-key': 's',
    });
    expect(made.status).toBe(201);
    await request(`${server.url}/machine/snapshots`, 'POST', key, { ...snapshot, machineName: 1 });
    const form = multipart('canary-file-content '.repeat(1000));
    expect((await request(`${server.url}/machine/files`, 'POST', key, form.body, form.headers)).status).toBe(
      201,
    );
    const secrets = [...keys, ...hooks, 'canary-'];
    const search = () => {
      for (const file of Object.keys(contentsOf(path.join(folder, 'data')))) {
        const bytes = readFileSync(file);
        for (const secret of secrets) expect([file, bytes.includes(secret)]).toEqual([file, false]);
      }
    };
    search();
    const modes = ['.', 'envsnap.db', 'master.key'].map(
      (name) => statSync(path.join(folder, 'data', name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600, 0o600]);
    const read = await request(`${server.url}/machine/snapshots/${made.body.id}`, 'GET', key);
    expect(read.body.envVars).toEqual(snapshot.envVars);
    server.running.child.kill('SIGTERM');
    const { stderr, stdout } = await server.running.finished;
    search();
    for (const secret of secrets) expect((stderr + stdout).includes(secret)).toBe(false);
    expect(stderr).toContain('/machine/snapshots');
  });

  it('remembers the rate limit and quota counters through kill -9', { tags: 'release' }, async () => {
    const folder = temporaryFolder();
    const env = { ENVSNAP_RATE_PER_MINUTE: '8', ENVSNAP_MAX_SNAPSHOTS: '3' };
    const first = await startServerIn(folder, env);
    const { apiKey: key } = await bootstrap(first.url);
    const create = (url: string) => request(`${url}/machine/snapshots`, 'POST', key, { machineName: 'm' });
    for (let index = 0; index < 3; index += 1) expect((await create(first.url)).status).toBe(201);
    first.running.child.kill('SIGKILL');
    await first.running.finished;
    const second = await startServerIn(folder, env);
    expect((await create(second.url)).body.error).toBe('Snapshot quota exceeded (max 3)');
    const statuses: number[] = [];
    for (let index = 0; index < 7; index += 1)
      statuses.push((await request(`${second.url}/machine/usage`, 'GET', key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429, 429]);
  });
});

describe('SIGTERM', () => {
  it('lets requests in flight finish, closes idle connections, takes no new ones, and ends with 0', async () => {
    const folder = temporaryFolder();
    const server = await startServerIn(folder);
    const { apiKey: key } = await bootstrap(server.url);
    const idle = await openRaw(server.url);
    idle.send(`GET /machine/usage HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    await idle.answers(1);
    const form = Buffer.from(multipart('x'.repeat(100_000)).body);
    const { 'content-type': type } = multipart('').headers;
    const upload = await openRaw(server.url);
    upload.send(
      `POST /machine/files HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${form.length}\r\n\r\n`,
    );
    upload.send(form.subarray(0, 50_000));
    const body = JSON.stringify({ machineName: 'in flight' });
    const posting = await openRaw(server.url);
    posting.send(
      `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    posting.send(body.slice(0, 5));
    // The server knows both once it has responded to a later request.
    await request(`${server.url}/machine/usage`, 'GET', key, undefined, { connection: 'close' });

    server.running.child.kill('SIGTERM');
    await idle.closed;
    await expect
      .poll(() =>
        fetch(`${server.url}/health`).then(
          () => 'open',
          () => 'closed',
        ),
      )
      .toBe('closed');
    upload.send(form.subarray(50_000));
    posting.send(body.slice(5));
    const [uploaded] = await upload.answers(1);
    const [posted] = await posting.answers(1);
    expect([uploaded?.status, posted?.status]).toEqual([201, 201]);
    expect([uploaded?.headers.connection, posted?.headers.connection]).toEqual(['close', 'close']);
    expect((await server.running.finished).exitCode).toBe(0);

    const again = await startServerIn(folder);
    const usage = (await request(`${again.url}/machine/usage`, 'GET', key)).body;
    expect(usage.resources).toMatchObject({ snapshots: 1, files: 1 });
    // The log was flushed: requests in flight are in it.
    const live = (await request(`${again.url}/machine/usage/requests/live`, 'GET', key)).body.requests;
    expect(
      live.filter(
        (one: { method: string; statusCode: number }) => one.method === 'POST' && one.statusCode === 201,
      ),
    ).toHaveLength(2);
  });

  it('does not wait forever for callers that never finish', { tags: 'release' }, async () => {
    const server = await startServerIn(temporaryFolder());
    const { apiKey: key } = await bootstrap(server.url);
    const stalled = await openRaw(server.url);
    stalled.send(
      `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    await request(`${server.url}/machine/usage`, 'GET', key);
    server.running.child.kill('SIGTERM');
    expect((await server.running.finished).exitCode).toBe(0);
    await stalled.closed;
  });

  it('ends an idle server at once with 0', { tags: 'release' }, () => endIdle('SIGTERM'));
});

it('SIGINT ends an idle server at once with 0', { tags: 'release' }, () => endIdle('SIGINT'));

async function endIdle(signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const server = await startServerIn(temporaryFolder());
  server.running.child.kill(signal);
  const { exitCode, stdout } = await server.running.finished;
  expect([exitCode, stdout]).toEqual([0, `envsnap-server listening on ${server.url}\n`]);
}
