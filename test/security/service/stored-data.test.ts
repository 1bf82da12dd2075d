// What costs with stored data: its bound, and that nobody waits for it. Work on stored snapshots is done in a thread of its
// own; what is held here is the share of the server's own thread, its end with the connection and with the server, its memory,
// and the size of its answers.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { describeEachDatabase } from '../../support/databases.ts';
import { openRaw } from '../../support/raw-http.ts';
import { startService, type TestService } from '../../support/service.ts';

const mebibyte = 1024 ** 2;

/** Packages whose versions have an order that is costly to find. */
function longVersions(count: number, run: number): Record<string, string> {
  const version = (place: number) => `1.0.${(run * 7919 + place * 31) % 1009}-${'a.1.'.repeat(12)}${run}`;
  return Object.fromEntries(Array.from({ length: count }, (_, place) => [`p${place}`, version(place)]));
}

async function storeRuns(
  service: TestService,
  key: string,
  runs: number,
  packages: (run: number) => Record<string, string>,
): Promise<string[]> {
  const ids: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const answer = await service.request('POST', '/machine/snapshots', {
      key,
      body: {
        machineName: `m${run % 2}`,
        dependencies: { 'package-lock.json': packages(run) },
        envVars: { VALUE: 'x'.repeat(100_000) },
        metadata: { outcome: run % 2 ? 'failed' : 'passed' },
      },
    });
    expect(answer.status).toBe(201);
    ids.push(answer.body.id as string);
  }
  return ids;
}

/** Processor time of the longest turn of this thread's event loop while something runs, in milliseconds. */
async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let done = false;
  let longest = 0;
  const watched = work().finally(() => {
    done = true;
  });
  while (!done) {
    const before = process.threadCpuUsage();
    await nextTurn();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await watched;
  return longest;
}

/** Processor time of the whole process while something runs, in milliseconds. */
async function processTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const post = (path: string, key: string, body: object) => {
  const text = JSON.stringify(body);
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`;
};

describeEachDatabase((openDatabase) => {
  describe('work on stored snapshots', () => {
    it('keeps the server for no longer at a stretch than storing one of them', async () => {
      const service = await startService(openDatabase);
      const { apiKey: key } = await service.bootstrap();
      const many = (run: number) => ({ ...longVersions(40_000, 0), moving: `${run}.0.0` });
      let ids: string[] = [];
      const storing = await longestTurn(async () => {
        ids = await storeRuns(service, key, 6, many);
      });
      const [snapshotA, snapshotB] = ids;
      const asked: [method: string, path: string, body?: object][] = [
        ['POST', '/machine/diagnosis', {}],
        ['POST', '/machine/snapshots/compare', { snapshotA, snapshotB, includeEnvValues: true }],
        ['GET', '/machine/history?key=dependencies:package-lock.json/moving'],
        ['GET', '/machine/machines?keys=dependencies:package-lock.json/moving'],
      ];
      for (const [method, path, body] of asked) {
        const longest = await longestTurn(async () => {
          expect(await statusOf(service, method, path, key, body)).toBe(200);
        });
        expect(longest, `${path}: ${longest} ms, storing: ${storing} ms`).toBeLessThan(storing);
      }
    });

    it('ends with the connection of whoever asked for it', async () => {
      const service = await startService(openDatabase);
      const { apiKey: key } = await service.bootstrap();
      await storeRuns(service, key, 60, (run) => longVersions(1000, run));
      const diagnose = () => service.request('POST', '/machine/diagnosis', { key, body: {} });
      const whole = await processTime(diagnose);
      const left = await processTime(async () => {
        const connection = await openRaw(service.url);
        connection.send(post('/machine/diagnosis', key, {}));
        await expect.poll(() => runningJobs(service), { interval: 1 }).toBe(1);
        connection.end();
        await expect.poll(() => runningJobs(service), { interval: 1 }).toBe(0);
      });
      expect(left / whole, `${left} of ${whole} ms`).toBeLessThan(0.5);
      expect((await diagnose()).status).toBe(200);
    });

    it('ends with the server: 503 at once, and nothing goes on', async () => {
      const service = await startService(openDatabase);
      const { apiKey: key } = await service.bootstrap();
      await storeRuns(service, key, 60, (run) => longVersions(1000, run));
      const diagnose = () => service.request('POST', '/machine/diagnosis', { key, body: {} });
      const whole = await processTime(diagnose);
      const answers = [diagnose(), diagnose(), diagnose()];
      const left = await processTime(async () => {
        await nextTurn();
        await service.stop();
        for (const { status, body, headers } of await Promise.all(answers)) {
          expect([status, body.code, headers.has('retry-after')]).toEqual([503, 'shutting_down', true]);
        }
      });
      expect(left / whole, `${left} of ${whole} ms`).toBeLessThan(0.5);
    });

    it('is 503 while others hold the memory for it', async () => {
      const service = await startService(openDatabase, { ENVSNAP_MAX_BYTES_IN_FLIGHT: String(2 * mebibyte) });
      const { apiKey: key } = await service.bootstrap();
      await storeRuns(service, key, 2, (run) => longVersions(5000, run));
      const diagnose = () => service.request('POST', '/machine/diagnosis', { key, body: {} });
      const slow = await openRaw(service.url);
      const body = 'x'.repeat(2 * mebibyte - 1000);
      slow.send(post('/machine/snapshots', key, { body }).slice(0, 1000));
      await expect
        .poll(async () => (await diagnose()).body)
        .toMatchObject({
          code: 'server_busy',
          retryAfter: expect.any(Number),
        });
      slow.end();
      await expect.poll(async () => (await diagnose()).status).toBe(200);
    });

    it('gives one project no second turn before another its first', async () => {
      const service = await startService(openDatabase);
      const [one, other] = [await service.bootstrap(), await service.bootstrap()];
      await storeRuns(service, one.apiKey, 30, (run) => longVersions(500, run));
      await storeRuns(service, other.apiKey, 2, (run) => longVersions(10, run));
      const ended: string[] = [];
      const diagnose = async (who: string, key: string) => {
        await service.request('POST', '/machine/diagnosis', { key, body: {} });
        ended.push(who);
      };
      const many = Array.from({ length: 4 }, () => diagnose('one', one.apiKey));
      await expect.poll(() => runningJobs(service), { interval: 1 }).toBe(1);
      await Promise.all([...many, diagnose('other', other.apiKey)]);
      expect(ended.indexOf('other')).toBeLessThan(2);
    });
  });

  describe('a history', () => {
    it('of long values looks at as many as an answer may hold, and says so', async () => {
      const service = await startService(openDatabase);
      const { apiKey: key } = await service.bootstrap();
      for (let run = 0; run < 40; run += 1) {
        const metadata = { long: `${run} `.repeat(80_000) };
        await service.request('POST', '/machine/snapshots', { key, body: { machineName: 'm', metadata } });
      }
      const path = '/machine/history?key=metadata.long';
      const { body } = await service.request('GET', path, { key });
      expect(body).toMatchObject({ total: 40, limitReached: true });
      expect(body.scanned).toBeLessThan(40);
      const short = await service.request('GET', '/machine/history?key=os', { key });
      expect(short.body).toMatchObject({ scanned: 40, total: 40, limitReached: false });
    });
  });
});

/** Asks without looking at the answer: reading a long one is the caller's own work. */
async function statusOf(
  service: TestService,
  method: string,
  path: string,
  key: string,
  body?: object,
): Promise<number> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'accept-encoding': 'identity' },
    ...(body && { body: JSON.stringify(body) }),
  });
  await response.body?.pipeTo(new WritableStream());
  return response.status;
}

async function runningJobs(service: TestService): Promise<number> {
  const { body } = await service.request('GET', '/metrics');
  return Number(/^envsnap_jobs\{state="running"\} (.+)$/m.exec(body)?.[1]);
}
