// Owns the change of logs and queue to a partition a day, on PostgreSQL (time-partitions.ts). No row is copied: the table
// that is there becomes the first partition of the new one.

import type { Executor } from '../database.ts';
import type { Migration, MigrationTools } from '../migration.ts';
import { boundAt, hasTimePartitions, startOfDay, type TimedTable } from '../time-partitions.ts';

interface ConvertedTable extends TimedTable {
  readonly primaryKey: string;
  /** Index whose columns the new primary key has. */
  readonly replacedIndex?: string;
}

const tables: readonly ConvertedTable[] = [
  {
    name: 'request_logs',
    column: 'created_at',
    key: 'milliseconds',
    // A partitioned table's key holds what it is partitioned by. With the project, it can be distributed too.
    primaryKey: 'project_id, created_at, id',
    replacedIndex: 'request_logs_project_id_created_at_id_index',
  },
  { name: 'outbox_events', column: 'id', key: 'uuid', primaryKey: 'id' },
  { name: 'webhook_deliveries', column: 'id', key: 'uuid', primaryKey: 'id' },
  { name: 'webhook_attempts', column: 'id', key: 'uuid', primaryKey: 'id' },
];

const dayMs = 86_400_000;
/** The first partition ends that much after today's midnight: until then there is time to make the next. */
const firstPartitionDays = 2;

/** Partitions the request log, the outbox and the delivery log. */
export const timePartitionsMigration: Migration = {
  name: '0040_time_partitions',
  up: async (tools) => {
    const { executor, sql } = tools;
    if (!hasTimePartitions(executor.dialect)) return;
    const { builder, nowMs } = executor.dialect;
    const clock = await executor.get<{ now: number }>(builder.select(builder.raw('? as now', [nowMs()])));
    const untilMs = startOfDay(clock?.now ?? 0) + firstPartitionDays * dayMs;
    // Days of events and of deliveries go without a look at each other; events that are deleted one by one take their
    // deliveries along (delivery-retention.ts).
    await sql('alter table webhook_deliveries drop constraint webhook_deliveries_event_id_foreign');
    for (const table of tables) await partition(tools, table, untilMs);
  },
};

async function partition({ sql, executor }: MigrationTools, table: ConvertedTable, untilMs: number) {
  const { name, key, column, primaryKey, replacedIndex } = table;
  const first = `${name}_first`;
  const indexes = await listIndexes(executor, name);
  const references = await listReferences(executor, name);

  await sql(`alter table ${name} rename to ${first}`);
  await sql(`create table ${name} (like ${first} including defaults) partition by range (${column})`);
  if (replacedIndex === undefined) {
    await sql(`alter table ${first} rename constraint ${name}_pkey to ${first}_pkey`);
  } else {
    await sql(`alter sequence ${name}_id_seq owned by ${name}.id`);
    await sql(`alter table ${first} drop constraint ${name}_pkey`);
    await sql(`alter table ${first} add primary key (${primaryKey})`);
    await sql(`create index ${first}_id_index on ${first} (id)`);
    await sql(`drop index ${replacedIndex}`);
    await sql(`create index ${name}_id_index on ${name} (id)`);
  }
  await sql(`alter table ${name} add primary key (${primaryKey})`);
  for (const index of indexes) {
    if (index.name === replacedIndex) continue;
    await sql(`alter index ${index.name} rename to ${index.name}_first`);
    await sql(index.definition);
  }
  for (const reference of references) {
    await sql(`alter table ${name} add constraint ${reference.name} ${reference.definition}`);
  }
  await sql(`create table ${name}_rest partition of ${name} default`);
  for (const statement of name === 'webhook_deliveries'
    ? executor.dialect.tuneForUpdates(`${name}_rest`)
    : []) {
    await sql(statement);
  }
  const bound = boundAt(key, untilMs);
  // Rows of a clock that ran ahead.
  await sql(
    `with moved as (delete from ${first} where ${column} >= ${bound} returning *) insert into ${name} select * from moved`,
  );
  await sql(`alter table ${name} attach partition ${first} for values from (minvalue) to (${bound})`);
}

interface Definition {
  name: string;
  definition: string;
}

/** The indexes of a table but that of its key, as the statements that make them. */
function listIndexes(executor: Executor, table: string): Promise<Definition[]> {
  return executor.all<Definition>(
    executor.dialect.builder.raw(
      `select c.relname as name, pg_get_indexdef(i.indexrelid) as definition
       from pg_index i join pg_class c on c.oid = i.indexrelid
       where i.indrelid = to_regclass(?) and not i.indisprimary order by c.relname`,
      [table],
    ),
  );
}

/** The foreign keys of a table. */
function listReferences(executor: Executor, table: string): Promise<Definition[]> {
  return executor.all<Definition>(
    executor.dialect.builder.raw(
      `select conname as name, pg_get_constraintdef(oid) as definition
       from pg_constraint where conrelid = to_regclass(?) and contype = 'f' order by conname`,
      [table],
    ),
  );
}
