// Owns the first schema: every table of the service. Times are milliseconds since the epoch, JSON is text, hashes are SHA-256 in
// hex, and the rows of a project are deleted with it, so deleting a project is one statement.

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Migration, MigrationTools } from '../migration.ts';
import { boundAt, hasTimePartitions, startOfDay, type TimedTable, timedTables } from '../time-partitions.ts';
import schema from './0001-schema.json' with { type: 'json' };

/**
 * Each table with its columns: name, type (`?` where it may be null), then `key` for the primary key, `=` with the default,
 * `of` with the table whose row it goes with, `needs` with a row that must exist, `index`, `unique`. A line that begins with
 * `index`, `primary` or `foreign` names columns. A line that begins with a dialect is for that dialect only. `--` begins a comment.
 */
const tables: Readonly<Record<string, readonly string[]>> = schema;

/** The columns that lists show or filter by, so that a list reads only the index. */
const listed = 'created_at, id, os, arch, outcome, outcome_of';
const indexes = [
  'index projects_deleted on projects (deleted_at) where deleted_at is not null',
  "unique index api_keys_one_owner on api_keys (project_id) where role = 'owner'",
  // Most keys never expire and are not in this index.
  'index api_keys_expiring on api_keys (expires_at) where expiry_announced_at is null',
  // Without it, a rare pair of action and actor would be looked for among all entries of one of the two.
  'index audit_log_of_actor on audit_log (project_id, action, actor, created_at, id)',
  `index snapshots_listed on snapshots (project_id, ${listed})`,
  `index snapshots_of_machine on snapshots (project_id, machine_name, ${listed})`,
  // Without all that lists filter by, SQLite reads the index of all snapshots for a list of runs.
  `index snapshots_of_runs on snapshots (project_id, ${listed}) where outcome is not null`,
  'index webhooks_failing on webhooks (failing_since) where failing_since is not null',
  'index webhooks_deleted on webhooks (deleted_at) where deleted_at is not null',
  "index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where state = 'pending'",
  "index webhook_deliveries_due_by_webhook on webhook_deliveries (webhook_id, next_attempt_at) where state = 'pending'",
];

/** The first partition ends that many days after today's midnight: until then there is time to make the next one. */
const firstPartitionDays = 2;
const dayMs = 86_400_000;

/** Until the first release, changes edit this schema, so its name has a digest: a server refuses those of other versions. */
const edition = createHash('sha256')
  .update([JSON.stringify(tables), ...indexes].join('\n'))
  .digest('hex')
  .slice(0, 8);

export const schemaMigration: Migration = {
  name: `0001_schema_${edition}`,
  up: async (tools) => {
    const { dialect } = tools.executor;
    for (const [name, lines] of Object.entries(tables)) {
      const items = lines.flatMap((line) => line.replace(/ +--.*/, '').split(', '));
      const define = (builder: Knex.CreateTableBuilder) => {
        for (const item of items) defineItem(builder, item.split(' '), dialect.name);
      };
      const timed = Object.values<TimedTable>(timedTables).find((candidate) => candidate.name === name);
      if (timed && hasTimePartitions(dialect)) await createPartitioned(tools, timed, define);
      else await tools.schema((builder) => builder.createTable(name, define));
    }
    for (const index of indexes) await tools.sql(`create ${index}`);
    // On PostgreSQL the primary key goes by the language of the database, on SQLite by bytes.
    if (dialect.name === 'postgresql') {
      const column = dialect.bytewise('machine_name');
      await tools.sql(`create index machines_by_name on machines (project_id, ${column})`);
    }
    for (const table of ['project_quotas', 'machines', 'rate_limit_windows']) {
      for (const statement of dialect.tuneForUpdates(table)) await tools.sql(statement);
    }
  },
};

function defineItem(table: Knex.CreateTableBuilder, words: readonly string[], dialect: string): void {
  const [name = '', type = '', ...more] = words;
  if (name === 'sqlite' || name === 'postgresql') {
    if (name === dialect) defineItem(table, words.slice(1), dialect);
  } else if (name === 'index' || name === 'primary') table[name](words.slice(1));
  else if (name === 'foreign') table.foreign(type).references('id').inTable(`${more[0]}`).onDelete('CASCADE');
  else if (type === 'serial') table.bigIncrements(name, { primaryKey: dialect === 'sqlite' });
  else defineColumn(table, name, type, more);
}

const builders = {
  uuid: 'uuid',
  text: 'text',
  integer: 'integer',
  bigint: 'bigInteger',
  bytes: 'binary',
} as const;

function defineColumn(table: Knex.CreateTableBuilder, name: string, type: string, words: readonly string[]) {
  const builder = builders[type.replace('?', '') as keyof typeof builders] ?? 'boolean';
  const column: Knex.ColumnBuilder = table[builder](name);
  if (!type.endsWith('?') && !words.includes('key')) column.notNullable();
  for (const [at, word] of words.entries()) {
    if (word === 'key') column.primary();
    else if (word === 'index' || word === 'unique') column[word]();
    else if (word === 'of')
      column
        .references('id')
        .inTable(`${words[at + 1]}`)
        .onDelete('CASCADE');
    else if (word === 'needs') column.references('id').inTable(`${words[at + 1]}`);
    else if (word.startsWith('=')) column.defaultTo(JSON.parse(word.slice(1)));
  }
}

/** Creates a table with one partition for everything up to the first days and one for strays (time-partitions.ts). */
async function createPartitioned(
  { sql, executor }: MigrationTools,
  table: TimedTable,
  define: (table: Knex.CreateTableBuilder) => void,
): Promise<void> {
  const { dialect } = executor;
  const [create, ...others] = dialect.builder.schema.createTable(table.name, define).toSQL();
  await sql(`${create?.sql} partition by range (${table.column})`);
  for (const other of others) await sql(other.sql);
  const now = dialect.builder.raw(`select ${dialect.nowMs()} as now`);
  const today = startOfDay((await executor.get<{ now: number }>(now))?.now ?? 0);
  const bound = boundAt(table.key, today + firstPartitionDays * dayMs);
  const partitions = { first: `for values from (minvalue) to (${bound})`, rest: 'default' };
  for (const [suffix, bounds] of Object.entries(partitions)) {
    const name = `${table.name}_${suffix}`;
    await sql(`create table ${name} partition of ${table.name} ${bounds}`);
    for (const statement of table.updated ? dialect.tuneForUpdates(name) : []) await sql(statement);
  }
}
