// The request history compared with a plain sum, for any ends of the range.
//
// @module-tag both-databases

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { splitBySource } from '../../../packages/server/src/usage/request-history.ts';
import { periodKey } from '../../../packages/server/src/usage/request-log-repository.ts';
import { createRequestRecorder } from '../../../packages/server/src/usage/request-recorder.ts';
import { createUsageService } from '../../../packages/server/src/usage/service.ts';
import type { UsageHistory } from '../../../packages/shared/src/usage.ts';
import { describeEachDatabase } from '../../support/databases.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const firstMs = Date.UTC(2026, 0, 29, 21, 40);
const nowMs = Date.UTC(2026, 1, 3, 10, 20, 30, 400);
const projectId = '00000000-0000-4000-8000-00000000000a';

const requestArbitrary = fc.record({
  createdAt: fc.oneof(
    fc.integer({ min: firstMs, max: nowMs }),
    // Exactly at the ends of hours.
    fc.integer({ min: 0, max: 107 }).chain((hours) => {
      const hour = Math.ceil(firstMs / hourMs) * hourMs + hours * hourMs;
      return fc.constantFrom(hour - 1, hour, hour + 1);
    }),
  ),
  route: fc.constantFrom('/machine/usage', '/machine/snapshots', '/machine/snapshots/:id'),
  status: fc.constantFrom(200, 404),
  ms: fc.integer({ min: 0, max: 40 }),
});
type Request = typeof requestArbitrary extends fc.Arbitrary<infer T> ? T : never;
type Period = 'hour' | 'day' | 'week' | 'month';

const momentArbitrary = fc.integer({ min: firstMs - dayMs, max: nowMs + dayMs });
const rangeArbitrary = fc
  .tuple(momentArbitrary, momentArbitrary)
  .map(([x, y]) => ({ fromMs: Math.min(x, y), toMs: Math.max(x, y) }));

function sumPlainly(requests: readonly Request[], period: Period, fromMs: number, toMs: number) {
  const sums: Record<string, Record<string, { count: number; ms: number }>> = {};
  for (const { createdAt, route, status, ms } of requests) {
    if (createdAt < fromMs || createdAt > toMs) continue;
    const key = periodKey(period, createdAt);
    const endpoints = sums[key] ?? {};
    const sum = endpoints[`${route} ${status}`] ?? { count: 0, ms: 0 };
    sums[key] = { ...endpoints, [`${route} ${status}`]: sum };
    sum.count += 1;
    sum.ms += ms;
  }
  return sums;
}

describe('the stretches of a range', () => {
  it('count each moment once, and less than an hour of the log at either end', () => {
    fc.assert(
      fc.property(
        rangeArbitrary,
        fc.constantFrom<Period>('hour', 'day', 'month'),
        ({ fromMs, toMs }, period) => {
          const stretches = splitBySource(fromMs, toMs, period);
          const bounds = [
            ...new Set([fromMs, toMs, ...stretches.flatMap((one) => [one.fromMs, one.untilMs])]),
          ];
          for (const at of bounds) {
            const counted = stretches.filter((one) => one.fromMs <= at && at < one.untilMs);
            expect(counted.length).toBe(at >= fromMs && at < toMs ? 1 : 0);
          }
          for (const { source, fromMs: start, untilMs } of stretches) {
            const unit = source === 'days' ? dayMs : source === 'hours' ? hourMs : 1;
            expect([start % unit, untilMs % unit]).toEqual([0, 0]);
            if (source === 'log' && toMs - fromMs > 2 * hourMs) expect(untilMs - start).toBeLessThan(hourMs);
          }
        },
      ),
      { seed: 7, numRuns: 500 },
    );
  });
});

describeEachDatabase((openDatabase) => {
  describe('the request history', () => {
    it('equals a plain sum over the log, from any moment to any other', async () => {
      const database = await openDatabase();
      const { builder } = database.dialect;
      await database.run(
        builder('projects').insert({ id: projectId, name: 'p', created_at: 0, updated_at: 0 }),
      );
      const sample = fc.sample(requestArbitrary, { numRuns: 600, seed: 11 });
      const recorder = createRequestRecorder(
        database,
        createLogger({ level: 'silent', destination: { write: () => undefined } }),
      );
      for (const { createdAt, route, status, ms } of sample)
        recorder.record({
          project_id: projectId,
          api_key_id: projectId,
          method: 'GET',
          path: route,
          route,
          status_code: status,
          response_time_ms: ms,
          created_at: createdAt,
        });
      await recorder.stop();

      const usage = createUsageService(database, { clock: { nowMs: () => nowMs }, flushLog: async () => {} });
      const ranges = fc.sample(
        fc.tuple(rangeArbitrary, fc.constantFrom<Period>('hour', 'day', 'week', 'month')),
        { numRuns: 80, seed: 13 },
      );
      for (const [{ fromMs, toMs }, period] of ranges) {
        const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
        const { text } = await usage.history(projectId, { period, from, to }, () => undefined);
        const answer = JSON.parse(text) as UsageHistory;
        const found: Record<string, Record<string, { count: number; average: number }>> = {};
        for (const [key, { total, endpoints }] of Object.entries(answer.data)) {
          found[key] = Object.fromEntries(
            endpoints.map((one) => [
              `${one.path} ${one.statusCode}`,
              { count: one.count, average: one.avgResponseMs },
            ]),
          );
          const places = endpoints.map((one) => [-one.count, one.path, one.statusCode] as const);
          expect(places).toEqual(
            places.toSorted(([a, b, c], [x, y, z]) => a - x || Number(b > y) - Number(b < y) || c - z),
          );
          expect(total).toBe(endpoints.reduce((sum, one) => sum + one.count, 0));
        }
        const expected = Object.entries(sumPlainly(sample, period, fromMs, toMs)).map(([key, endpoints]) => [
          key,
          Object.fromEntries(
            Object.entries(endpoints).map(([name, { count, ms }]) => [
              name,
              { count, average: Math.round((ms / count) * 100) / 100 },
            ]),
          ),
        ]);
        expect({ period, from, to, data: found }).toEqual({
          period,
          from,
          to,
          data: Object.fromEntries(expected),
        });
      }
    });
  });
});
