// Migrates a database to this program's schema. Knex builds the statements. We do not use its migrator, because its lock
// fails at once instead of waiting, and stays behind after a kill (docs/decisions/0002).

import { StartupError } from '../app-error.ts';
import type { Database, Executor } from './database.ts';
import type { Migration, MigrationTools } from './migration.ts';
import { migrations } from './migrations.ts';
import { defineInsert, defineSql, type NoParams } from './statement.ts';

interface MigrationStatus {
  /** Names of those applied, oldest first. */
  applied: string[];
  /** Names of those that this program knows and the database lacks. */
  pending: string[];
  /** Names of those that the database has and this program does not know: the database was made by a newer program. */
  unknown: string[];
}

/**
 * Marks a database during a restore as a migration that no program knows, so that no program works on it if the restore is
 * killed. Only the restore lists it as known, and removes it with its commit.
 */
export const unfinishedRestore: Migration = { name: '0000_unfinished_restore', up: async () => undefined };

const tableExists = defineSql<NoParams, { present: boolean | number }>(
  (dialect) => `select ${dialect.tableExists('schema_migrations')} as present`,
);
const listApplied = defineSql<NoParams, { name: string }>('select name from schema_migrations order by name');
const recordApplied = defineInsert<{ name: string }>('schema_migrations', {
  computed: ({ nowMs }) => ({ applied_at: nowMs() }),
});

/** Compares the database with the program; changes nothing. */
export async function migrationStatus(
  executor: Executor,
  known: readonly Migration[] = migrations,
): Promise<MigrationStatus> {
  const applied = (await executor.get(tableExists))?.present
    ? (await executor.all(listApplied)).map(({ name }) => name)
    : [];
  const names = known.map(({ name }) => name);
  return {
    applied,
    pending: names.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !names.includes(name)),
  };
}

/**
 * Applies the pending migrations, each in its own transaction, and returns the names applied by this call. `onApplied` gets the
 * name of each once it is committed, and the milliseconds that it took. Servers that start together wait for one another; a
 * killed one leaves nothing to clean up. Errors: StartupError when the schema is newer than the program; then nothing has been
 * written.
 */
export async function migrate(
  database: Database,
  known: readonly Migration[] = migrations,
  onApplied?: (name: string, ms: number) => void,
): Promise<string[]> {
  refuseNewer(await migrationStatus(database, known));
  return database.migrating(async ({ executor, transact }) => {
    const { pending, unknown, applied } = await migrationStatus(executor, known);
    refuseNewer({ pending, unknown, applied });
    const done: string[] = [];
    for (const migration of known.filter(({ name }) => pending.includes(name))) {
      const startedMs = performance.now();
      const isNew = await transact((inner) => apply(inner, migration, known));
      if (!isNew) continue;
      onApplied?.(migration.name, Math.round(performance.now() - startedMs));
      done.push(migration.name);
    }
    return done;
  });
}

/** Throws a StartupError when the database has migrations that this program does not know, or half a backup. */
export function refuseNewer({ unknown }: MigrationStatus): void {
  if (unknown.length === 0) return;
  if (unknown.includes(unfinishedRestore.name)) {
    throw new StartupError(
      'a restore into this database has not finished: wait for it, or run envsnap-server restore again',
    );
  }
  throw new StartupError(
    `the database has a schema that this envsnap-server does not know (${unknown.join(', ')}): ` +
      'start the version that made it, or a later one',
  );
}

async function apply(
  executor: Executor,
  migration: Migration,
  known: readonly Migration[],
): Promise<boolean> {
  const tools = createTools(executor);
  // Another process may have been faster: on SQLite it only had to hold the write lock until now.
  const { applied } = await migrationStatus(executor, known);
  if (applied.includes(migration.name)) return false;
  if (applied.length === 0 && !(await executor.get(tableExists))?.present) {
    await tools.schema((schema) =>
      schema.createTable('schema_migrations', (table) => {
        table.text('name').primary();
        table.bigInteger('applied_at').notNullable();
      }),
    );
  }
  await migration.up(tools);
  await executor.run(recordApplied, { name: migration.name });
  return true;
}

function createTools(executor: Executor): MigrationTools {
  const { builder } = executor.dialect;
  async function sql(statement: string): Promise<void> {
    await executor.run(builder.raw(statement));
  }
  return {
    executor,
    sql,
    schema: async (build) => {
      for (const { sql: statement } of build(builder.schema).toSQL()) await sql(statement);
    },
  };
}
