// @module-tag both-databases

import { expect, it } from 'vitest';
import { prune } from '../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { readTestData } from '../../support/test-data.ts';

const { rows, pruned, left } = readTestData<{
  rows: { table: string; values: Record<string, string | number>; ages: [times: number, ms: number][] }[];
  pruned: object;
  left: Record<string, number>;
}>(import.meta);

const nowMs = 1_800_000_000_000;
const timeColumn: Record<string, string> = {
  idempotency_keys: 'expires_at',
  rate_limit_windows: 'updated_at',
};

describeEachDatabase((openDatabase) => {
  it('deletes only what is too old', async () => {
    const database = await openDatabase();
    const { builder } = database.dialect;
    for (const { table, values, ages } of rows) {
      const made = ages.flatMap(([times, ms]) =>
        Array(times).fill({ ...values, [timeColumn[table] ?? 'created_at']: nowMs - ms }),
      );
      for (let start = 0; start < made.length; start += 500)
        await database.run(builder(table).insert(made.slice(start, start + 500)));
    }
    const days = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };
    expect(await prune(database, { nowMs: () => nowMs }, days)).toEqual(pruned);
    for (const [table, count] of Object.entries(left))
      expect(await database.get(builder(table).count({ [table]: '*' }))).toEqual({ [table]: count });
  });
});
