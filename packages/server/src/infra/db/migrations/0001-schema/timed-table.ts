// Owns creating a table with a partition a day, on PostgreSQL (time-partitions.ts), or plain, on SQLite.

import type { Knex } from 'knex';
import type { MigrationTools } from '../../migration.ts';
import { boundAt, hasTimePartitions, startOfDay, type TimedTable } from '../../time-partitions.ts';

const dayMs = 86_400_000;
/** The first partition ends that much after today's midnight: until then there is time to make the next. */
const firstPartitionDays = 2;

/** Creates the table, with one partition for everything up to these days and one for strays. */
export async function createTimedTable(
  { schema, sql, executor }: MigrationTools,
  table: TimedTable,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  const { dialect } = executor;
  if (!hasTimePartitions(dialect)) {
    await schema((builder) => builder.createTable(table.name, define));
    return;
  }
  const [create, ...others] = dialect.builder.schema.createTable(table.name, define).toSQL();
  await sql(`${create?.sql} partition by range (${table.column})`);
  for (const other of others) await sql(other.sql);
  const clock = await executor.get<{ now: number }>(
    dialect.builder.select(dialect.builder.raw('? as now', [dialect.nowMs()])),
  );
  const bound = boundAt(table.key, startOfDay(clock?.now ?? 0) + firstPartitionDays * dayMs);
  const partitions = { first: `for values from (minvalue) to (${bound})`, rest: 'default' };
  for (const [suffix, bounds] of Object.entries(partitions)) {
    const name = `${table.name}_${suffix}`;
    await sql(`create table ${name} partition of ${table.name} ${bounds}`);
    for (const statement of table.updated ? dialect.tuneForUpdates(name) : []) await sql(statement);
  }
}
