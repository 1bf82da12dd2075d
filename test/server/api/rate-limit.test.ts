import { EnvSnap, RateLimitError } from '@envsnap/sdk';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import {
  type ApiAnswer,
  startProject,
  startService,
  startServiceOn,
  type TestService,
} from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';

const { calls } = readTestData<{ calls: [string, string, string | null, number, unknown?][] }>(import.meta);

const plenty = '1000000';

function limitOf(answer: ApiAnswer) {
  const read = (name: string) => Number(answer.headers.get(`x-ratelimit-${name}`) ?? Number.NaN);
  return { limit: read('limit'), remaining: read('remaining'), reset: read('reset') };
}

/** Makes every counted request older by whole cells of a second (minute) and of five minutes (day). */
async function age(database: Database, seconds: number, dayCells = 0): Promise<void> {
  const { builder } = database.dialect;
  const rows = await database.all<{ subject: string; counters: Buffer }>(
    builder('rate_limit_windows').select('subject', 'counters'),
  );
  for (const { subject, counters } of rows) {
    const minuteEnd = 2 + counters.readUInt16BE(0) * 12;
    for (let at = 2; at + 12 <= counters.length; at += 12)
      counters.writeUInt32BE(counters.readUInt32BE(at) - (at < minuteEnd ? seconds : dayCells), at);
    await database.run(builder('rate_limit_windows').where({ subject }).update({ counters }));
  }
}

async function newKey(service: TestService, owner: string): Promise<string> {
  return (await service.send(owner, 'POST', '/machine/keys', {})).body.apiKey;
}

function statuses(answers: readonly ApiAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

describeEachDatabase((openDatabase) => {
  describe('rate limits', () => {
    const exactly = 'admit exactly the limit of 300 concurrent calls of a key';
    it(exactly, { tags: 'both-databases' }, () => admitExactly(1));
    it(`${exactly}, in each of three rounds`, { tags: 'release' }, () => admitExactly(3));

    async function admitExactly(rounds: number): Promise<void> {
      const service = await startService(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '60' });
      for (let round = 0; round < rounds; round += 1) {
        const { apiKey: key } = await service.bootstrap();
        const answers = await Promise.all(
          Array.from({ length: 300 }, () => service.send(key, 'GET', '/machine/usage')),
        );
        expect(statuses(answers)).toEqual({ 200: 60, 429: 240 });
        const remaining = answers
          .filter(({ status }) => status === 200)
          .map((answer) => limitOf(answer).remaining);
        expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index));
      }
    }

    const ofTwo = 'admit exactly the limit when the calls go to two replicas';
    it(ofTwo, { tags: 'both-databases' }, () => admitOfTwo(1));
    it(`${ofTwo}, in each of three rounds`, { tags: 'release' }, () => admitOfTwo(3));

    async function admitOfTwo(rounds: number): Promise<void> {
      const masterKey = '22'.repeat(32);
      const env = { ENVSNAP_RATE_PER_MINUTE: '50' };
      const target =
        openDatabase.databaseName === 'postgresql' ? await openDatabase.target('migrated') : undefined;
      const open = async () => (target ? openDatabase.again(target) : openDatabase());
      const first = await open();
      const replicas = [
        await startServiceOn(first, env, masterKey),
        await startServiceOn(target ? await open() : first, env, masterKey),
      ] as const;
      for (let round = 0; round < rounds; round += 1) {
        const { apiKey: key } = await replicas[0].bootstrap();
        const answers = await Promise.all(
          Array.from({ length: 200 }, (_, index) =>
            (replicas[index % 2] as TestService).send(key, 'GET', '/machine/keys/current'),
          ),
        );
        expect(statuses(answers)).toEqual({ 200: 50, 429: 150 });
      }
    }

    it('count each key and each address for itself, with the project’s numbers and the server’s', async () => {
      const {
        service,
        key: owner,
        projectId,
      } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '6' });
      const second = await newKey(service, owner);
      const usage = (key?: string) => service.send(key, 'GET', '/machine/usage');
      expect(statuses(await Promise.all(Array.from({ length: 10 }, () => usage(second))))).toEqual({
        200: 6,
        429: 4,
      });
      expect((await usage(owner)).status).toBe(200);
      // Bootstrap was this address's first call; keys and their calls do not count for it.
      const strangers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => usage(index % 2 ? undefined : 'mk_wrong')),
      );
      expect(statuses(strangers)).toEqual({ 401: 5, 429: 5 });
      expect(
        (await service.request('POST', '/machine/keys/bootstrap', { body: { projectName: 'p' } })).status,
      ).toBe(429);
      expect((await service.request('GET', '/machine/nowhere')).status).toBe(429);
      const { builder } = service.database.dialect;
      await service.database.run(
        builder('project_quotas').where({ project_id: projectId }).update({ max_requests_per_minute: 8 }),
      );
      const answers = await Promise.all(Array.from({ length: 10 }, () => usage(second)));
      expect(statuses(answers)).toEqual({ 200: 2, 429: 8 });
      expect(limitOf(answers[0] as ApiAnswer).limit).toBe(8);
    });

    it('are in the headers of every kind of response', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '40' });
      const viewer = (await service.send(key, 'POST', '/machine/keys', { role: 'viewer' })).body.apiKey;
      const callers: Record<string, string> = { owner: key, viewer, wrong: 'mk_wrong' };
      for (const [method, path, caller, status, body] of calls) {
        const answer = await service.send(callers[caller ?? ''], method, path, body);
        expect([method, path, answer.status]).toEqual([method, path, status]);
        const { limit, remaining, reset } = limitOf(answer);
        expect([method, path, limit]).toEqual([method, path, 40]);
        expect(Number.isInteger(remaining) && remaining >= 0 && remaining <= 40).toBe(true);
        expect(Number.isInteger(reset) && reset >= 1 && reset <= 60).toBe(true);
        expect(answer.headers.get('retry-after')).toBeNull();
      }
    });

    it('go down by one with each admitted call, whatever its response', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '10' });
      const remaining: number[] = [];
      for (const path of ['usage', 'snapshots/x', 'nowhere', 'usage', 'snapshots/%zz'] as const)
        remaining.push(limitOf(await service.send(key, 'GET', `/machine/${path}`)).remaining);
      // A path that cannot be decoded has no operation, but its caller is known.
      expect(remaining).toEqual([9, 8, 7, 6, 5]);
    });

    it('give in Retry-After and retryAfter the exact second from which a call is admitted again', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '5' });
      const call = () => service.send(key, 'GET', '/machine/usage');
      for (let index = 0; index < 5; index += 1) expect((await call()).status).toBe(200);
      const refused = await call();
      expect([refused.status, refused.body.error, refused.body.code]).toEqual([
        429,
        'Rate limit exceeded (per-minute)',
        'rate_limited',
      ]);
      const { retryAfter } = refused.body;
      expect(refused.headers.get('retry-after')).toBe(String(retryAfter));
      expect(Number.isInteger(retryAfter) && retryAfter >= 50 && retryAfter <= 60).toBe(true);
      expect(limitOf(refused)).toEqual({ limit: 5, remaining: 0, reset: retryAfter });
      // Refused calls are not counted: the wait does not grow.
      for (let index = 0; index < 20; index += 1) expect((await call()).status).toBe(429);
      expect((await call()).body.retryAfter).toBeLessThanOrEqual(retryAfter);
      await age(service.database, retryAfter - 5);
      const almost = await call();
      expect(almost.status).toBe(429);
      expect(almost.body.retryAfter).toBeLessThanOrEqual(5);
      await age(service.database, almost.body.retryAfter);
      expect((await call()).status).toBe(200);
    });

    it('also hold for 24 hours, with a separate text, and count a refusal in neither window', async () => {
      const { service, key } = await startProject(openDatabase, {
        ENVSNAP_RATE_PER_MINUTE: '100',
        ENVSNAP_RATE_PER_DAY: '7',
      });
      const call = () => service.send(key, 'GET', '/machine/usage');
      const remaining: number[] = [];
      for (let index = 0; index < 7; index += 1) remaining.push(limitOf(await call()).remaining);
      expect(remaining).toEqual([6, 5, 4, 3, 2, 1, 0]);
      for (let index = 0; index < 30; index += 1) {
        const refused = await call();
        expect([refused.status, refused.body.error]).toEqual([429, 'Rate limit exceeded (per-day)']);
        expect(refused.body.retryAfter).toBeGreaterThan(86_000);
        expect(refused.body.retryAfter).toBeLessThanOrEqual(86_400);
      }
      await age(service.database, 120, 287);
      const almost = await call();
      expect([almost.status, almost.body.error]).toEqual([429, 'Rate limit exceeded (per-day)']);
      expect(almost.body.retryAfter).toBeLessThanOrEqual(300);
      await age(service.database, 0, 1);
      expect((await call()).status).toBe(200);
    });

    it('survive a restart', async () => {
      const database = await openDatabase();
      const env = { ENVSNAP_RATE_PER_MINUTE: '5' };
      const masterKey = '33'.repeat(32);
      const before = await startServiceOn(database, env, masterKey);
      const { apiKey: key } = await before.bootstrap();
      for (let index = 0; index < 5; index += 1) await before.send(key, 'GET', '/machine/usage');
      await before.stop();
      const after = await startServiceOn(database, env, masterKey);
      expect((await after.send(key, 'GET', '/machine/usage')).status).toBe(429);
    });

    it('believe X-Forwarded-For of configured proxies only, and take the last address that is not a proxy', async () => {
      const call = async (service: TestService, forwarded?: string) =>
        (
          await service.request('GET', '/machine/usage', {
            headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
          })
        ).status;
      const plain = await startService(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '3' });
      const spoofed: number[] = [];
      for (let index = 0; index < 5; index += 1) spoofed.push(await call(plain, `203.0.113.${index}`));
      expect(spoofed).toEqual([401, 401, 401, 429, 429]);

      const service = await startService(openDatabase, {
        ENVSNAP_RATE_PER_MINUTE: '3',
        ENVSNAP_TRUST_PROXY: '127.0.0.1,10.0.0.0/8',
      });
      for (const forwarded of ['203.0.113.1', 'spoofed, 198.51.100.7, 203.0.113.1', '203.0.113.1, 10.1.2.3'])
        expect([forwarded, await call(service, forwarded)]).toEqual([forwarded, 401]);
      for (const forwarded of [
        '203.0.113.1',
        '::ffff:203.0.113.1',
        '203.0.113.1:4711',
        '1.1.1.1, 203.0.113.1',
      ])
        expect([forwarded, await call(service, forwarded)]).toEqual([forwarded, 429]);
      // IPv6 callers are counted by network, not by address.
      for (const forwarded of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '[2001:db8:1:2::3]:443'])
        expect([forwarded, await call(service, forwarded)]).toEqual([forwarded, 401]);
      expect(await call(service, '2001:db8:1:2::4')).toBe(429);
      expect(await call(service, '2001:db8:1:3::4')).toBe(401);
      // Anything but an address counts for the proxy itself.
      const rubbish: number[] = [];
      for (const forwarded of ['unknown', '', 'x'.repeat(500), '1.2.3.4.5', ':::'])
        rubbish.push(await call(service, forwarded));
      expect(rubbish).toEqual([401, 401, 401, 429, 429]);
    });

    it('never refuse health, readiness and metrics', async () => {
      const service = await startService(openDatabase, {
        ENVSNAP_RATE_PER_MINUTE: '1',
        ENVSNAP_RATE_PER_DAY: '1',
      });
      await service.bootstrap();
      for (const path of ['/health', '/ready', '/metrics']) {
        for (let index = 0; index < 5; index += 1)
          expect([path, (await service.request('GET', path)).status]).toEqual([path, 200]);
      }
      expect((await service.request('GET', '/machine/usage')).status).toBe(429);
    });

    it('reach clients of the SDK as an error that says how long to wait', async () => {
      const { service, key: apiKey } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '2' });
      const client = new EnvSnap({ apiKey, baseUrl: service.url, retries: 0 });
      await client.usage.get();
      await client.usage.get();
      const error = await client.usage.get().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({
        status: 429,
        code: 'rate_limited',
        message: expect.stringContaining('per-minute'),
      });
      const { retryAfterSeconds } = error as RateLimitError;
      expect(retryAfterSeconds).toBeGreaterThan(50);
      expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    });

    it('leave refused calls in the request log', async () => {
      const { service, key } = await startProject(openDatabase, { ENVSNAP_RATE_PER_MINUTE: '3' });
      for (let index = 0; index < 5; index += 1) await service.send(key, 'GET', '/machine/keys/current');
      await age(service.database, 61);
      const { body } = await service.send(key, 'GET', '/machine/usage/requests/live');
      expect(body.requests.map((request: { statusCode: number }) => request.statusCode)).toEqual([
        429, 429, 200, 200, 200,
      ]);
    });

    it('do not touch callers of another project', async () => {
      const service = await startService(openDatabase, {
        ENVSNAP_RATE_PER_MINUTE: '5',
        ENVSNAP_RATE_PER_DAY: plenty,
      });
      const noisy = await service.bootstrap();
      const calm = await service.bootstrap();
      await Promise.all(
        Array.from({ length: 50 }, () => service.send(noisy.apiKey, 'GET', '/machine/usage')),
      );
      expect((await service.send(calm.apiKey, 'GET', '/machine/usage')).status).toBe(200);
    });
  });
});
