// The server's surroundings fail: PostgreSQL restarts and falls silent, connections stay half open, bodies stall.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, type Check, every, none, shown } from '../check.ts';
import { bootstrap, countStatuses, send, writeSnapshots } from '../requests.ts';
import { memoryOf } from '../world.ts';

/** The time until a request succeeds, in milliseconds. */
async function untilServed(url: string, key: string): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const { status } = await send('GET', `${url}/machine/usage`, { key, timeoutMs: 30_000 });
    if (status === 200) return performance.now() - startedMs;
    await sleep(20);
  }
}

export const faults: Check = {
  name: 'faults',
  what: 'PostgreSQL restarts under load and falls silent; thousands of connections stay half open; bodies stall',
  async run({ rounds, world }) {
    const postgres = await world.postgres();
    const databaseUrl = await postgres.createDatabase();
    const server = await world.startServer({ databaseUrl });
    const { key } = await bootstrap(server.url);
    const { answers, acknowledged, stop } = writeSnapshots(4, key, () => server.url, {
      pauseMs: ({ status }) => (status === 201 ? 0 : 50),
    });
    const backMs: number[] = [];
    const restarts = rounds(10);
    for (let index = 0; index < restarts; index += 1) {
      await sleep(300);
      await postgres.restart();
      backMs.push(await untilServed(server.url, key));
    }
    await stop();
    const unexpected = answers.filter(({ status }) => status !== 201 && status !== 503).length;
    const total = await postgres.count(databaseUrl, 'snapshots');

    postgres.freeze();
    const silent = await send('GET', `${server.url}/ready`);
    const health = await send('GET', `${server.url}/health`);
    const starting = world.command(['start', '--port', '0'], {
      DATABASE_URL: databaseUrl,
      ENVSNAP_DATA_DIR: world.folder(),
    });
    const stopStartedMs = performance.now();
    const second = await Promise.race([starting, sleep(60_000)]);
    postgres.thaw();
    const thawedMs = await untilServed(server.url, key);

    const before = memoryOf(server.pid).nowMiB;
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    const halfOpen = rounds(5000);
    for (let index = 0; index < halfOpen; index += 1) {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      if (index % 2 === 0) socket.write('POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-');
      sockets.push(socket);
      if (index % 200 === 0) await sleep(10);
    }
    await sleep(1000);
    const meanwhile = await send('GET', `${server.url}/machine/usage`, { key });
    const after = memoryOf(server.pid).nowMiB;
    for (const socket of sockets) socket.destroy();
    await sleep(500);

    const stalled = connect(Number(port), hostname).on('error', () => undefined);
    stalled.write(
      `POST /machine/snapshots HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    );
    await sleep(100);
    const beside = await send('GET', `${server.url}/machine/usage`, { key });
    stalled.destroy();

    postgres.freeze();
    const stopMs = performance.now();
    const code = await server.end();
    const endedMs = performance.now() - stopMs;
    postgres.thaw();
    return [
      none(
        `responses that are neither 201 nor 503, of ${answers.length} over ${restarts} restarts of PostgreSQL`,
        unexpected,
      ),
      shown('responses over the restarts', JSON.stringify(countStatuses(answers))),
      {
        what: 'acknowledged writes kept',
        asked: `≥ ${acknowledged.length}`,
        measured: String(total),
        reached: total >= acknowledged.length,
      },
      atMost('serving again after a restart, slowest', Math.max(...backMs), 5000, 'ms'),
      atMost(
        '/ready says 503 with PostgreSQL silent',
        silent.status === 503 ? silent.ms : Number.POSITIVE_INFINITY,
        3000,
        'ms',
      ),
      every('/health with PostgreSQL silent', health.status === 200 ? 1 : 0, 1),
      atMost(
        'a start with PostgreSQL silent is refused',
        second && second.exitCode === 2 ? performance.now() - stopStartedMs : Number.POSITIVE_INFINITY,
        20_000,
        'ms',
      ),
      atMost('serving again once PostgreSQL responds', thawedMs, 25_000, 'ms'),
      every(`${halfOpen} half-open connections: another request served`, meanwhile.status === 200 ? 1 : 0, 1),
      atMost(`${halfOpen} half-open connections: more memory`, after - before, 150, 'MiB'),
      every('served beside a stalled body', beside.status === 200 ? 1 : 0, 1),
      none('exit code of SIGTERM with PostgreSQL silent', Number(code)),
      atMost('SIGTERM with PostgreSQL silent', endedMs, 20_000, 'ms'),
    ];
  },
};
