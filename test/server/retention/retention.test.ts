// @module-tag both-databases

import { expect, it } from 'vitest';
import type { Database } from '../../../packages/server/src/infra/db/database.ts';
import { prune } from '../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { readTestData } from '../../support/test-data.ts';

const { pruned } = readTestData<{ pruned: object }>(import.meta);

const nowMs = 1_800_000_000_000;
const dayMs = 86_400_000;
const projectId = '00000000-0000-7000-8000-000000000001';

async function count(database: Database, table: string): Promise<number> {
  const row = await database.get<{ total: number }>(database.dialect.builder(table).count({ total: '*' }));
  return row?.total ?? 0;
}

describeEachDatabase((openDatabase) => {
  it('deletes what is older than it need be, and nothing else', async () => {
    const database = await openDatabase();
    const { builder } = database.dialect;
    await database.run(
      builder('projects').insert({ id: projectId, name: 'p', created_at: nowMs, updated_at: nowMs }),
    );
    // More than a batch of old ones, in the order in which requests come.
    const ages = [...Array(2300).fill(91), ...Array(50).fill(89), 0];
    for (let start = 0; start < ages.length; start += 500) {
      await database.run(
        builder('request_logs').insert(
          ages.slice(start, start + 500).map((days) => ({
            project_id: projectId,
            api_key_id: projectId,
            method: 'GET',
            path: '/',
            route: '/',
            status_code: 200,
            response_time_ms: 1,
            created_at: nowMs - days * dayMs,
          })),
        ),
      );
    }
    await database.run(
      builder('request_totals').insert({
        project_id: projectId,
        hour: 0,
        route: '/',
        status_code: 200,
        request_count: 1,
        total_response_ms: 1,
      }),
    );
    for (const [scope, expiresMs] of [
      ['old', nowMs - 1],
      ['kept', nowMs + 1],
    ] as const)
      await database.run(
        builder('idempotency_keys').insert({ scope, fingerprint: 'f', created_at: 0, expires_at: expiresMs }),
      );
    for (const [subject, ageMs] of [
      ['old', 2 * dayMs],
      ['kept', dayMs],
    ] as const) {
      await database.run(
        builder('rate_limit_windows').insert({
          subject,
          kind: 'address',
          counters: Buffer.alloc(1),
          updated_at: nowMs - ageMs,
        }),
      );
    }
    const days = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };
    expect(await prune(database, { nowMs: () => nowMs }, days)).toEqual(pruned);
    expect(await count(database, 'request_logs')).toBe(51);
    expect(await count(database, 'request_totals')).toBe(1);
    expect(await count(database, 'idempotency_keys')).toBe(1);
    expect(await count(database, 'rate_limit_windows')).toBe(1);
  });
});
