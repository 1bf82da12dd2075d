// Owns PostgreSQL's daily partitions of logs and queue: which tables have them, creating those of the next days, dropping
// whole days. On SQLite this does nothing (docs/decisions/0003-deletion.md).

import type { Knex } from 'knex';
import type { Database, Executor } from './database.ts';
import type { Dialect } from './dialect.ts';

/** The partition key of a table: a time in milliseconds, or an id that begins with one (UUID version 7). */
type Key = 'milliseconds' | 'uuid';

/** A table with a partition a day. Its first partition holds all earlier rows, `…_rest` those without a partition. */
export interface TimedTable {
  readonly name: string;
  readonly column: string;
  readonly key: Key;
  readonly updated?: true;
}

export const timedTables = {
  requestLogs: { name: 'request_logs', column: 'created_at', key: 'milliseconds' },
  events: { name: 'outbox_events', column: 'id', key: 'uuid' },
  deliveries: { name: 'webhook_deliveries', column: 'id', key: 'uuid', updated: true },
  attempts: { name: 'webhook_attempts', column: 'id', key: 'uuid' },
} as const satisfies Record<string, TimedTable>;

/** A partition of a table: rows from `fromMs` (included) to `untilMs` (excluded). */
export interface Partition {
  readonly name: string;
  readonly fromMs: number;
  readonly untilMs: number;
}

const dayMs = 86_400_000;
/** Days whose partitions are created in advance, besides today's. */
const daysAhead = 3;
/** Longest wait for the locks, in milliseconds: below PostgreSQL's deadlock timeout, so that this gives up before a request does. */
const lockTimeoutMs = 250;
/** Above this number of rows, PostgreSQL's own estimate is used. */
const countedAtMost = 100_000;

export function hasTimePartitions(dialect: Dialect): boolean {
  return dialect.name === 'postgresql';
}

/** The latest time that is not after `beforeMs` and at which a partition may end: whole days, if there are any. */
export function endOfWholeDays(dialect: Dialect, beforeMs: number): number {
  return hasTimePartitions(dialect) ? startOfDay(beforeMs) : beforeMs;
}

export function startOfDay(ms: number): number {
  return Math.floor(ms / dayMs) * dayMs;
}

/** A time as a bound of a table's partitions, in SQL. */
export function boundAt(key: Key, ms: number): string {
  if (key === 'milliseconds') return `'${ms}'`;
  const time = ms.toString(16).padStart(12, '0');
  return `'${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000'`;
}

/** Makes the partitions of today and the next days if they are missing; returns their names. */
export async function addPartitions(database: Database, nowMs: number): Promise<string[]> {
  if (!hasTimePartitions(database.dialect)) return [];
  const today = startOfDay(nowMs);
  const added: string[] = [];
  for (const table of Object.values<TimedTable>(timedTables)) {
    const partitions = await listPartitions(database, table);
    for (let fromMs = today; fromMs <= today + daysAhead * dayMs; fromMs += dayMs) {
      const date = new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '');
      const day = { name: `${table.name}_${date}`, fromMs, untilMs: fromMs + dayMs };
      if (partitions.some((other) => other.fromMs < day.untilMs && other.untilMs > day.fromMs)) continue;
      if (await addPartition(database, table, day)) added.push(day.name);
    }
  }
  return added;
}

/**
 * Drops the partitions whose rows are all from before `beforeMs`, unless `isNeeded` says that one must stay; returns
 * about how many rows went. Errors: `database_unavailable` when a lock is not granted in time; then the partition stays
 * for now.
 */
export async function dropPartitions(
  database: Database,
  table: TimedTable,
  beforeMs: number,
  isNeeded: (executor: Executor, partition: Partition) => Promise<boolean> = async () => false,
): Promise<number> {
  if (!hasTimePartitions(database.dialect)) return 0;
  const { builder } = database.dialect;
  let rows = 0;
  for (const partition of await listPartitions(database, table)) {
    if (partition.untilMs > beforeMs || (await isNeeded(database, partition))) continue;
    rows += (await database.get<{ rows: number }>(countRows(builder, partition.name)))?.rows ?? 0;
    await changeSchema(database, async (executor) => {
      // In the order in which requests lock them; dropping the reference to projects needs their lock too.
      await executor.run(builder.raw('lock table projects in access exclusive mode'));
      await executor.run(builder.raw('lock table ?? in access exclusive mode', [table.name]));
      await executor.run(builder.raw('drop table ??', [partition.name]));
    });
  }
  return rows;
}

/** A condition for the rows whose id, kept in `column`, is of a partition of a table partitioned by ids. */
export function idWithin(builder: Knex, column: string, { fromMs, untilMs }: Partition): Knex.Raw {
  const from = Number.isFinite(fromMs) ? fromMs : 0;
  return builder.raw(`?? >= ${boundAt('uuid', from)} and ?? < ${boundAt('uuid', untilMs)}`, [column, column]);
}

/** The partitions with an end, oldest first: all but `…_rest`. */
async function listPartitions(database: Database, table: TimedTable): Promise<Partition[]> {
  const { builder } = database.dialect;
  const rows = await database.all<{ name: string; bounds: string }>(
    builder.raw(
      `select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bounds
       from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = to_regclass(?)`,
      [table.name],
    ),
  );
  return rows
    .flatMap(({ name, bounds }) => {
      const [, from, until] = /FROM \(([^()]+)\) TO \('([^']+)'\)/.exec(bounds) ?? [];
      if (from === undefined || until === undefined) return [];
      const fromMs = from === 'MINVALUE' ? Number.NEGATIVE_INFINITY : timeOf(table.key, from.slice(1, -1));
      return [{ name, fromMs, untilMs: timeOf(table.key, until) }];
    })
    .toSorted((a, b) => a.untilMs - b.untilMs);
}

function timeOf(key: Key, bound: string): number {
  return key === 'milliseconds' ? Number(bound) : Number.parseInt(bound.replaceAll('-', '').slice(0, 12), 16);
}

async function addPartition(database: Database, table: TimedTable, day: Partition): Promise<boolean> {
  const { builder } = database.dialect;
  const [from, until] = [boundAt(table.key, day.fromMs), boundAt(table.key, day.untilMs)];
  // Rows that came while partitions were missing stay in `…_rest`, and so do later rows of that day.
  const stray = await database.get(
    builder(`${table.name}_rest`)
      .select(builder.raw('1'))
      .whereRaw(`?? >= ${from} and ?? < ${until}`, [table.column, table.column])
      .limit(1),
  );
  if (stray) return false;
  await changeSchema(database, async (executor) => {
    await executor.run(builder.raw('create table ?? (like ?? including all)', [day.name, table.name]));
    for (const statement of table.updated ? database.dialect.tuneForUpdates(day.name) : []) {
      await executor.run(builder.raw(statement));
    }
    const attach = `alter table ?? attach partition ?? for values from (${from}) to (${until})`;
    await executor.run(builder.raw(attach, [table.name, day.name]));
  });
  return true;
}

async function changeSchema(
  database: Database,
  change: (executor: Executor) => Promise<void>,
): Promise<void> {
  await database.transact(async (executor) => {
    await executor.run(database.dialect.builder.raw(`set local lock_timeout = ${lockTimeoutMs}`));
    await change(executor);
  });
}

function countRows(builder: Knex, partition: string): Knex.Raw {
  return builder.raw(
    `select case when reltuples > ${countedAtMost} then reltuples::bigint else (select count(*) from ??) end as rows
     from pg_class where oid = to_regclass(?)`,
    [partition, partition],
  );
}
