// Logs and queue by day: the first partitions, those created ahead, whole days dropped, strays kept.
//
// @module-tag both-databases

import { expect, test } from 'vitest';
import type { Database } from '../../../../packages/server/src/infra/db/database.ts';
import { addPartitions, timedTables } from '../../../../packages/server/src/infra/db/time-partitions.ts';
import { prune } from '../../../../packages/server/src/retention/retention.ts';
import { describeEachDatabase } from '../../../support/databases.ts';

const dayMs = 86_400_000;
const project = '01936500-0000-4000-8000-000000000001';
const webhook = '01936500-0000-4000-8000-000000000002';
const kept = { requestLogDays: 90, deliveryLogDays: 30, auditLogDays: 365 };

/** The version 7 id for a time; `n` distinguishes ids of the same time. */
function idAt(ms: number, n: number): string {
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(n).padStart(12, '0')}`;
}

async function addProject(database: Database): Promise<void> {
  const { builder } = database.dialect;
  const times = { created_at: 1, updated_at: 1 };
  await database.run(builder('projects').insert({ id: project, name: 'p', ...times }));
  await database.run(
    builder('webhooks').insert({
      id: webhook,
      project_id: project,
      url: 'u',
      events: '[]',
      secret_ciphertext: Buffer.from('x'),
      active: true,
      ...times,
    }),
  );
}

let made = 0;

/** A logged request, and an event with its delivery and an attempt, all of one time. */
async function addRows(database: Database, ms: number, state = 'delivered'): Promise<void> {
  const { builder } = database.dialect;
  made += 1;
  const id = idAt(ms, made);
  const common = { id, project_id: project, created_at: ms };
  await database.run(
    builder('request_logs').insert({
      project_id: project,
      api_key_id: project,
      method: 'GET',
      path: `/${made}`,
      route: '/',
      status_code: 200,
      response_time_ms: 1,
      created_at: ms,
    }),
  );
  await database.run(builder('outbox_events').insert({ ...common, event: 'e', payload: '{}' }));
  await database.run(
    builder('webhook_deliveries').insert({
      ...common,
      webhook_id: webhook,
      event_id: id,
      state,
      next_attempt_at: ms,
    }),
  );
  await database.run(
    builder('webhook_attempts').insert({
      id,
      project_id: project,
      webhook_id: webhook,
      delivery_id: id,
      event_id: id,
      event: 'e',
      attempt: 1,
      success: true,
      duration_ms: 1,
      attempted_at: ms,
    }),
  );
}

const tables = Object.values(timedTables).map(({ name }) => name);

async function countRows(database: Database, suffix = ''): Promise<Record<string, number>> {
  const { builder } = database.dialect;
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const row = await database.get<{ n: number }>(builder(table + suffix).count({ n: '*' }));
    counts[table] = row?.n ?? Number.NaN;
  }
  return counts;
}

const each = (n: number) => Object.fromEntries(tables.map((table) => [table, n]));

describeEachDatabase((openDatabase) => {
  const partitioned = openDatabase.databaseName === 'postgresql';

  test('a new database takes the rows of any time and numbers its log', async () => {
    const database = await openDatabase();
    await addProject(database);
    const nowMs = Date.now();
    // Restored ones, today's, and one of a clock that ran ahead.
    for (const days of [-400, -1, 0, 30]) await addRows(database, nowMs + days * dayMs);
    expect(await countRows(database)).toEqual(each(4));
    const ids = await database.all<{ id: number }>(
      database.dialect.builder('request_logs').select('id').orderBy('id'),
    );
    expect(ids.map(({ id }) => id)).toEqual([1, 2, 3, 4]);
    if (!partitioned) return;
    expect(await countRows(database, '_first')).toEqual(each(3));
    expect(await countRows(database, '_rest')).toEqual(each(1));
  });

  test('partitions are made once, and take the rows of their days', async () => {
    const database = await openDatabase();
    await addProject(database);
    const nowMs = Date.now() + 10 * dayMs;
    const added = await addPartitions(database, nowMs);
    expect(added).toHaveLength(partitioned ? 4 * tables.length : 0);
    expect(await addPartitions(database, nowMs)).toEqual([]);
    await addRows(database, nowMs);
    await addRows(database, nowMs + 20 * dayMs);
    expect(await countRows(database)).toEqual(each(2));
    if (!partitioned) return;
    expect(await countRows(database, '_rest')).toEqual(each(1));
    // A day that has strays already keeps them where they are.
    expect(await addPartitions(database, nowMs + 20 * dayMs)).toHaveLength(3 * tables.length);
    expect(await countRows(database)).toEqual(each(2));
  });

  test('old rows are removed by whole days; rows that are still needed stay', async () => {
    const database = await openDatabase();
    const { builder } = database.dialect;
    await addProject(database);
    const startMs = Math.ceil(Date.now() / dayMs + 10) * dayMs;
    await addPartitions(database, startMs);
    await addRows(database, startMs + 1);
    await addRows(database, startMs + dayMs + 1);
    await addRows(database, startMs + dayMs + 2, 'pending');
    await addRows(database, startMs + 2 * dayMs + 1);
    // Into the partition for strays, which is emptied row by row.
    await addRows(database, startMs + 9 * dayMs);

    const at = (days: number) => ({ nowMs: () => startMs + days * dayMs });
    expect(await prune(database, at(32.5), kept, true)).toMatchObject({
      requestLogs: 0,
      deliveryAttempts: partitioned ? 3 : 4,
      events: partitioned ? 2 : 3,
    });
    const owed = await database.all(builder('webhook_deliveries').select('state').where('state', 'pending'));
    expect(owed).toEqual([{ state: 'pending' }]);

    // Exact to the moment, not to the day.
    expect(await prune(database, at(32.5), kept)).toMatchObject(
      partitioned ? { deliveryAttempts: 1, events: 1 } : { deliveryAttempts: 0, events: 0 },
    );
    await database.run(builder('webhooks').update({ active: false }));
    await prune(database, at(200), kept, true);
    expect(await countRows(database)).toEqual(each(0));
    if (!partitioned) return;
    const days = await database.all(
      builder.raw(
        "select 1 from pg_class where relispartition and relname ~ '_20[0-9]{6}$' and relkind = 'r'",
      ),
    );
    expect(days).toEqual([]);
  });

  test('deleting a project takes its rows out of every partition', async () => {
    const database = await openDatabase();
    await addProject(database);
    const nowMs = Date.now();
    await addPartitions(database, nowMs + 5 * dayMs);
    for (const days of [-1, 5, 40]) await addRows(database, nowMs + days * dayMs);
    await database.run(database.dialect.builder('projects').where('id', project).del());
    expect(await countRows(database)).toEqual(each(0));
  });
});
