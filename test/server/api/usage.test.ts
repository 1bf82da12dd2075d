import { describe, expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { createRequestRecorder } from '../../../packages/server/src/usage/request-recorder.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { startProject } from '../../support/service.ts';
import { readTestData } from '../../support/test-data.ts';
import { words } from '../../support/words.ts';
import { multipart } from './world.ts';

const { emptyUsage, log, byHour, byDay, ends, january, counts } = readTestData<{
  emptyUsage: object;
  log: Logged[];
  byHour: object;
  byDay: object;
  ends: [string, string, number][];
  january: object;
  counts: object[];
}>(import.meta);

interface Logged {
  at: string;
  route?: string;
  status?: number;
  ms?: number;
}

/** Writes a known log, the way the server does. */
async function writeLog(
  database: Database,
  projectId: string,
  apiKeyId: string,
  rows: readonly Logged[],
): Promise<void> {
  const recorder = createRequestRecorder(
    database,
    createLogger({ level: 'silent', destination: { write: () => undefined } }),
  );
  for (const { at, route = '/machine/usage', status = 200, ms = 10 } of rows) {
    recorder.record({
      project_id: projectId,
      api_key_id: apiKeyId,
      method: 'GET',
      path: route,
      route,
      status_code: status,
      response_time_ms: ms,
      created_at: Date.parse(at),
    });
  }
  await recorder.stop();
}

describeEachDatabase((openDatabase) => {
  describe('usage', () => {
    it('says what the project holds and may hold', async () => {
      const { service, key } = await startProject(openDatabase, {
        ENVSNAP_MAX_SNAPSHOTS: '50',
        ENVSNAP_RATE_PER_MINUTE: '60',
        ENVSNAP_RATE_PER_DAY: '10000',
      });
      const usage = async () => (await service.send(key, 'GET', '/machine/usage')).body;
      expect(await usage()).toEqual(emptyUsage);
      await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      await service.send(key, 'POST', '/machine/keys', {});
      const file = await service.request('POST', '/machine/files', {
        key,
        ...multipart(new Uint8Array(1_500_000)),
      });
      expect(await usage()).toMatchObject({
        resources: { snapshots: 1, files: 1, apiKeys: 2 },
        storage: { usedBytes: 1_500_000, usedMB: 1.43 },
      });
      await service.send(key, 'DELETE', `/machine/files/${file.body.id}`);
      expect((await usage()).storage).toEqual({ usedBytes: 0, usedMB: 0 });
    });

    it('refuses files over the count and over the bytes with the documented texts', async () => {
      const { service, key } = await startProject(openDatabase, {
        ENVSNAP_MAX_FILES: '2',
        ENVSNAP_MAX_STORAGE_BYTES: '1000',
      });
      const upload = (bytes: number) =>
        service.request('POST', '/machine/files', { key, ...multipart(new Uint8Array(bytes)) });
      const tooMuch = await upload(1001);
      expect([tooMuch.status, tooMuch.body.error, tooMuch.body.code]).toEqual([
        403,
        'Storage quota exceeded (max 1000 bytes)',
        'storage_quota_exceeded',
      ]);
      expect((await upload(1000)).status).toBe(201);
      expect((await upload(1)).body.error).toBe('Storage quota exceeded (max 1000 bytes)');
      expect((await upload(0)).status).toBe(201);
      const tooMany = await upload(0);
      expect([tooMany.status, tooMany.body.error, tooMany.body.code]).toEqual([
        403,
        'File quota exceeded (max 2)',
        'file_quota_exceeded',
      ]);
    });
  });

  describe('the request history', () => {
    async function stage() {
      const { service, key, apiKeyId, projectId } = await startProject(openDatabase);
      await writeLog(service.database, projectId, apiKeyId, log);
      const other = await service.bootstrap();
      await writeLog(service.database, other.projectId, other.apiKeyId, [{ at: '2026-01-05T00:00:00.000Z' }]);
      const history = async (query: string) => {
        const answer = await service.send(key, 'GET', `/machine/usage/requests?${query}`);
        expect(answer.status).toBe(200);
        return answer.body;
      };
      const totals = async (query: string) => {
        const { data } = await history(query);
        return Object.fromEntries(
          Object.entries(data as Record<string, { total: number }>).map(([period, { total }]) => [
            period,
            total,
          ]),
        );
      };
      return { service, key, history, totals };
    }
    const all = 'from=2025-12-01&to=2026-03-01';

    it('names hours, days, ISO weeks and months in UTC', async () => {
      const { totals } = await stage();
      expect(await totals(`period=hour&${all}`)).toEqual(byHour);
      expect(await totals(`period=day&${all}`)).toEqual(byDay);
      expect(await totals(all)).toEqual(await totals(`period=day&${all}`));
      // 29 December 2025 to 4 January 2026 is week 1 of 2026.
      expect(await totals(`period=week&${all}`)).toEqual({
        '2025-W52': 1,
        '2026-W01': 4,
        '2026-W02': 4,
        '2026-W06': 1,
      });
      expect(await totals(`period=month&${all}`)).toEqual({ '2025-12': 3, '2026-01': 6, '2026-02': 1 });
    });

    it('counts by endpoint and status, with the mean time', async () => {
      const { history } = await stage();
      const { data, from, to, period } = await history(`period=month&${all}`);
      expect([from, to, period]).toEqual(['2025-12-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', 'month']);
      expect(data['2026-01']).toEqual(january);
      expect(data['2025-12'].endpoints).toContainEqual({
        path: '/machine/snapshots/:id',
        statusCode: 200,
        count: 1,
        avgResponseMs: 10,
      });
    });

    it('includes both ends to the millisecond, even inside an hour', { tags: 'both-databases' }, async () => {
      const { totals } = await stage();
      for (const [from, to, expected] of ends)
        for (const period of ['hour', 'day', 'week', 'month']) {
          const query = `period=${period}&from=${encodeURIComponent(from)}&to=${encodeURIComponent(to)}`;
          const counts: number[] = Object.values(await totals(query));
          expect([query, counts.reduce((sum, count) => sum + count, 0)]).toEqual([query, expected]);
        }
    });

    it('covers the last 30 days by default', async () => {
      const { history } = await stage();
      const before = Date.now();
      const { from, to, period, data } = await history('');
      expect(period).toBe('day');
      expect(Date.parse(to) - before).toBeLessThan(10_000);
      expect(Date.parse(to) - Date.parse(from)).toBe(30 * 86_400_000);
      expect(Object.keys(data).every((day) => day >= from.slice(0, 10))).toBe(true);
    });

    it('counts every call with a valid key by its route, refused ones too, and none without', async () => {
      const { service, key } = await startProject(openDatabase);
      const viewer = (await service.send(key, 'POST', '/machine/keys', { role: 'viewer' })).body.apiKey;
      const { body: snapshot } = await service.send(key, 'POST', '/machine/snapshots', { machineName: 'm' });
      for (const [method, path, caller] of [
        ['GET', `/machine/snapshots/${snapshot.id}?x=secret`, key],
        ['GET', `/machine/snapshots/${snapshot.id}`, viewer],
        ['GET', '/machine/snapshots/not-an-id', key],
        ['POST', '/machine/snapshots', viewer],
        ['GET', '/machine/nowhere', key],
        ['PUT', '/machine/usage', key],
        ['GET', '/machine/usage', undefined],
        ['GET', '/machine/usage', 'mk_wrong'],
        ['GET', '/health', key],
      ] as const)
        await service.send(caller, method, path);
      const { data } = (await service.send(key, 'GET', '/machine/usage/requests?period=month')).body;
      const [month] = Object.values(
        data as Record<
          string,
          { total: number; endpoints: { path: string; statusCode: number; count: number }[] }
        >,
      );
      const counted = (month?.endpoints ?? []).map(({ path, statusCode, count }) => [
        path,
        statusCode,
        count,
      ]);
      expect(counted).toHaveLength(7);
      expect(counted).toEqual(expect.arrayContaining(counts));
      const live = (await service.send(viewer, 'GET', '/machine/usage/requests/live')).body.requests;
      expect(
        live.map((one: { method: string; path: string; statusCode: number }) => [
          one.method,
          one.path,
          one.statusCode,
        ]),
      ).toEqual([
        ['GET', '/machine/usage/requests', 200],
        ['PUT', '/machine/usage', 405],
        ['GET', '/machine/nowhere', 404],
        ['POST', '/machine/snapshots', 403],
        ['GET', '/machine/snapshots/not-an-id', 400],
        ['GET', `/machine/snapshots/${snapshot.id}`, 200],
        ['GET', `/machine/snapshots/${snapshot.id}`, 200],
        ['POST', '/machine/snapshots', 201],
        ['POST', '/machine/keys', 201],
      ]);
      expect(Object.keys(live[0]).sort()).toEqual(words`createdAt method path responseTimeMs statusCode`);
      expect(live[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    });

    it('shows the last 100 calls live, newest first', async () => {
      const { service, key } = await startProject(openDatabase);
      for (let index = 0; index < 130; index += 1)
        await service.send(key, 'GET', `/machine/snapshots/${index}`);
      const { requests } = (await service.send(key, 'GET', '/machine/usage/requests/live')).body;
      expect(requests).toHaveLength(100);
      const paths = requests.map((request: { path: string }) => request.path);
      expect(paths).toEqual(Array.from({ length: 100 }, (_, index) => `/machine/snapshots/${129 - index}`));
    });
  });
});
