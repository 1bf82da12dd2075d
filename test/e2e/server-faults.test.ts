import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, inject, it, onTestFinished, type TestContext } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { temporaryFolder } from '../support/databases.ts';
import { runServerCommand, runServerCommandHere, startServerIn } from '../support/programs.ts';
import { fillDisk, mountSmallDisk } from '../support/small-disk.ts';

const program = path.resolve('packages/server/bin/envsnap-server.js');

async function request(url: string, method: string, key?: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { ...(key !== undefined && { 'x-api-key': key }), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  return { status: response.status, body: (await response.json()) as any };
}

async function bootstrap(url: string): Promise<string> {
  return (await request(`${url}/machine/keys/bootstrap`, 'POST', undefined, { projectName: 'p' })).body
    .apiKey;
}

describe('a full disk', () => {
  it('stops only writes, is reported, and ends with the first free byte', async ({ skip }) => {
    const diskBytes = 8 * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const limits = { ENVSNAP_RATE_PER_MINUTE: '40' };
    const server = await startServerIn(disk, limits);
    const key = await bootstrap(server.url);
    const data = path.join(disk, 'data');
    const made = await request(`${server.url}/machine/snapshots`, 'POST', key, { machineName: 'm' });
    const filler = fillDisk(disk, diskBytes + 4096);

    const large = { machineName: 'm', metadata: { text: 'x'.repeat(200_000) } };
    const add = () => request(`${server.url}/machine/snapshots`, 'POST', key, large);
    // The write-ahead log has room for a little.
    let refused = await add();
    while (refused.status === 201) refused = await add();
    expect([refused.status, refused.body.code]).toEqual([503, 'database_unavailable']);
    expect(refused.body.error).toContain('disk of the database is full');
    expect((await request(`${server.url}/ready`, 'GET')).body.error).toContain(
      'disk of the database is full',
    );
    const statuses: number[] = [];
    for (let index = 0; index < 50; index += 1)
      statuses.push((await request(`${server.url}/machine/snapshots/${made.body.id}`, 'GET', key)).status);
    // Reads continue, and the limit applies although no counter can be written: 40 in all, few of them before.
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    const admitted = statuses.filter((status) => status === 200).length;
    expect(admitted).toBeGreaterThan(30);
    expect(admitted).toBeLessThan(40);
    const doctor = await runServerCommandHere(['doctor', '--data-dir', data]);
    expect(doctor.stdout).toMatch(/^warning +data folder +only [01] MB are free/m);

    rmSync(filler);
    await expect.poll(async () => (await request(`${server.url}/ready`, 'GET')).status).toBe(200);
    // Requests counted in memory still count.
    expect((await request(`${server.url}/machine/usage`, 'GET', key)).status).toBe(429);
  });

  it('lets deletions continue, for which it keeps room', { tags: 'release' }, ({ skip }) =>
    emptyFromInside(5, 16, skip),
  );
  it(
    'is emptied by deletions: requests that add something wait until there is room',
    { tags: 'release' },
    ({ skip }) => emptyFromInside(150, 128, skip),
  );

  async function emptyFromInside(count: number, mebibytes: number, skip: TestContext['skip']): Promise<void> {
    const diskBytes = mebibytes * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const server = await startServerIn(disk, { ENVSNAP_MAX_SNAPSHOTS: '1000' });
    const key = await bootstrap(server.url);
    const add = () =>
      request(`${server.url}/machine/snapshots`, 'POST', key, {
        machineName: 'm',
        metadata: { text: randomBytes(115_000).toString('hex') },
      });
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push((await add()).body.id);
    // Checked while there is room, because the server's own writes may use up the reserve too.
    const reserve = path.join(disk, 'data', 'reserve');
    expect(statSync(reserve).size).toBe(diskBytes / 8);
    fillDisk(disk, diskBytes + 4096);
    let refused = await add();
    for (; refused.status === 201; refused = await add()) ids.push(refused.body.id);
    expect(refused.body.error).toContain('disk of the database is full');
    const remove = (id: string) => request(`${server.url}/machine/snapshots/${id}`, 'DELETE', key);
    const [first = '', ...others] = ids;
    expect((await remove(first)).status).toBe(200);
    expect(existsSync(reserve)).toBe(false);
    // The room is for deletions.
    expect((await add()).status).toBe(503);
    expect((await request(`${server.url}/ready`, 'GET')).status).toBe(503);
    for (const id of others) expect((await remove(id)).status).toBe(200);
    // A few deletions make too little room.
    if (count > 100) expect((await add()).status).toBe(201);
    rmSync(path.join(disk, 'filler'));
    expect((await request(`${server.url}/ready`, 'GET')).status).toBe(200);
    expect(existsSync(reserve)).toBe(true);
  }

  it('lets a server stop with 0', { tags: 'release' }, async ({ skip }) => {
    const diskBytes = 4 * 1024 * 1024;
    const disk = mountSmallDisk(diskBytes);
    if (disk === undefined) return skip('mounting a small disk needs root');
    const server = await startServerIn(disk);
    const key = await bootstrap(server.url);
    fillDisk(disk, diskBytes + 4096);
    expect((await request(`${server.url}/machine/usage`, 'GET', key)).status).toBe(200);
    server.running.child.kill('SIGTERM');
    expect((await server.running.finished).exitCode).toBe(0);
  });
});

describe('damage', () => {
  it('is a 500 with its own code, an error in the log, and the end of readiness', async () => {
    const folder = temporaryFolder();
    const first = await startServerIn(folder);
    const key = await bootstrap(first.url);
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const body = { machineName: 'm', metadata: { text: 'x'.repeat(20_000) } };
      ids.push((await request(`${first.url}/machine/snapshots`, 'POST', key, body)).body.id);
    }
    first.running.child.kill('SIGTERM');
    await first.running.finished;
    // Everything from the middle on: rows, and the pages that lead to them.
    const file = path.join(folder, 'data/envsnap.db');
    const { size } = statSync(file);
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(size / 2, 0xa5), 0, size / 2, Math.ceil(size / 2));
    fsyncSync(handle);
    closeSync(handle);

    const server = await startServerIn(folder);
    const answers = [];
    for (const id of ids) answers.push(await request(`${server.url}/machine/snapshots/${id}`, 'GET', key));
    const damaged = answers.find(({ status }) => status === 500);
    expect(damaged?.body).toMatchObject({
      code: 'database_damaged',
      error: expect.stringContaining('restore a backup'),
    });
    const ready = await request(`${server.url}/ready`, 'GET');
    expect([ready.status, ready.body.error]).toEqual([503, expect.stringContaining('damaged')]);
    expect((await request(`${server.url}/health`, 'GET')).status).toBe(200);
    await server.running.waitFor('stderr', /"level":"error"[^\n]*SQLITE_CORRUPT/);
    const doctor = await runServerCommandHere(['doctor', '--data-dir', path.join(folder, 'data')]);
    expect([doctor.exitCode, doctor.stdout]).toEqual([7, expect.stringMatching(/^problem +database /m)]);
  });
});

describe('a write-ahead log that somebody took away', () => {
  it('is reported at the start and by doctor, but not after a mere kill or stop', {
    tags: 'release',
  }, async () => {
    const folder = temporaryFolder();
    const file = path.join(folder, 'data/envsnap.db');
    const doctor = () => runServerCommandHere(['doctor', '--data-dir', path.join(folder, 'data')]);
    const end = async (signal: 'SIGTERM' | 'SIGKILL', server: Awaited<ReturnType<typeof startServerIn>>) => {
      server.running.child.kill(signal);
      return (await server.running.finished).stderr;
    };
    const first = await startServerIn(folder);
    const key = await bootstrap(first.url);
    await end('SIGKILL', first);
    // It recovers what the log has, and closes the database.
    expect((await doctor()).stdout).toMatch(/^ok +database /m);
    expect(existsSync(`${file}-open`)).toBe(false);
    const second = await startServerIn(folder);
    expect((await request(`${second.url}/machine/usage`, 'GET', key)).status).toBe(200);
    await request(`${second.url}/machine/snapshots`, 'POST', key, { machineName: 'lost' });
    expect(await end('SIGKILL', second)).not.toContain('write-ahead log');
    rmSync(`${file}-wal`);
    const third = await startServerIn(folder);
    await third.running.waitFor('stderr', /"level":"error"[^\n]*write-ahead log .* was missing/);
    await end('SIGTERM', third);
    expect(await doctor()).toMatchObject({ exitCode: 7, stdout: expect.stringContaining('was missing') });
    rmSync(`${file}-open`);
    expect((await doctor()).stdout).toMatch(/^ok +database /m);
    const fourth = await startServerIn(folder);
    rmSync(`${file}-wal`);
    expect((await request(`${fourth.url}/ready`, 'GET')).body.error).toContain('write-ahead log was deleted');
  });
});

describe('a log that nobody reads', () => {
  it('neither blocks the server nor keeps it from stopping', { tags: 'release' }, async () => {
    const folder = temporaryFolder();
    const child = spawn(
      process.execPath,
      [program, 'start', '--port', '0', '--data-dir', path.join(folder, 'data')],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...childEnvironment, ENVSNAP_LOG_LEVEL: 'trace', ENVSNAP_RATE_PER_MINUTE: '1000000' },
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    // Nothing reads child.stderr: once the pipe is full, every further byte has to wait.
    child.stderr.pause();
    const [line] = await once(child.stdout, 'data');
    const [url = ''] = /http:\S+/.exec(String(line)) ?? [];
    const longPath = `/machine/${'x'.repeat(1500)}`;
    for (let round = 0; round < 60; round += 1) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () =>
          fetch(url + longPath, { headers: { 'x-request-id': 'r'.repeat(100) } }),
        ),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    }
    expect((await fetch(`${url}/ready`)).status).toBe(200);
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect((await exited)[0]).toBe(0);
  });
});

describe('several servers on one embedded database', () => {
  it('that start together: one runs, the others name it and stop', { tags: 'release' }, async () => {
    const folder = temporaryFolder();
    const start = () =>
      startServerIn(folder).then(
        ({ url }) => url,
        (error: Error) => error.message,
      );
    const outcomes = await Promise.all([start(), start(), start()]);
    const urls = outcomes.filter((outcome) => outcome.startsWith('http'));
    expect(urls).toHaveLength(1);
    for (const outcome of outcomes.filter((one) => !one.startsWith('http')))
      expect(outcome).toMatch(/another envsnap-server .*uses the data folder/);
    expect((await fetch(`${urls[0]}/ready`)).status).toBe(200);
  });

  it('that follow one another leave no lock behind, not even when they are killed', {
    tags: 'release',
  }, async () => {
    const folder = temporaryFolder();
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGTERM'] as const) {
      const server = await startServerIn(folder);
      server.running.child.kill(signal);
      await server.running.finished;
    }
    expect(readdirSync(path.join(folder, 'data')).sort()).toEqual([
      'envsnap.db',
      'files',
      'master.key',
      'reserve',
    ]);
  });
});

describe('SIGTERM with ENVSNAP_DRAIN_SECONDS', () => {
  it('refuses readiness at once, and serves everybody until the time is over', async () => {
    const server = await startServerIn(temporaryFolder(), { ENVSNAP_DRAIN_SECONDS: '2' });
    const key = await bootstrap(server.url);
    server.running.child.kill('SIGTERM');
    await expect
      .poll(async () => (await request(`${server.url}/ready`, 'GET')).status, { interval: 20 })
      .toBe(503);
    const made = await fetch(`${server.url}/machine/snapshots`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: '{"machineName":"late"}',
    });
    expect([made.status, made.headers.get('connection')]).toEqual([201, 'close']);
    expect((await server.running.finished).exitCode).toBe(0);
  });
});

describe('a database that swallows everything', () => {
  it('lets a start fail in time and with a reason, and a server stop', { tags: 'release' }, async () => {
    const url = await (await fetch(`${inject('postgresBroker')}/empty`)).text();
    const { hostname, port } = new URL(url);
    const proxy = await startSilentProxy(hostname, Number(port));
    const through = new URL(url);
    through.port = String(proxy.port);
    const env = { DATABASE_URL: through.href, ENVSNAP_ENCRYPTION_KEY: '01'.repeat(32) };
    const server = await startServerIn(temporaryFolder(), env);
    await bootstrap(server.url);
    proxy.silence();
    const ready = await request(`${server.url}/ready`, 'GET');
    expect([ready.status, ready.body.error]).toEqual([503, 'The database does not respond.']);
    const starting = runServerCommand(['start', '--port', '0', '--data-dir', temporaryFolder()], { env });
    server.running.child.kill('SIGTERM');
    const { exitCode, stderr } = await server.running.finished;
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/not everything was finished|stopped/)]);
    const refused = await starting;
    expect([refused.exitCode, refused.stderr]).toEqual([
      6,
      expect.stringMatching(/cannot use the database at/),
    ]);
  });
});

/** A proxy in front of a server that can stop forwarding bytes without closing anything. */
async function startSilentProxy(host: string, port: number) {
  let silent = false;
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = new (client.constructor as typeof Socket)();
    upstream.connect(port, host);
    sockets.push(client, upstream);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('data', (chunk) => {
        if (!silent) to.write(chunk);
      });
      from.on('close', () => {
        if (!silent) to.destroy();
      });
      from.on('error', () => undefined);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the proxy has no port');
  return {
    port: address.port,
    silence: () => {
      silent = true;
    },
  };
}
