// `envsnap-server migrate`: brings the schema to this program's, or says what it lacks.

import { existsSync } from 'node:fs';
import { prepareDataDir } from '../infra/data-dir.ts';
import { openDatabase } from '../infra/db/connection.ts';
import { type MigrationStatus, migrate, migrationStatus } from '../infra/db/migrate.ts';
import { migrations } from '../infra/db/migrations.ts';
import { embeddedDatabaseFile, loadOperatorConfig, type OperatorFlags } from './operator-session.ts';
import { print } from './print.ts';

/** Runs the command. Errors: StartupError. */
export async function runMigrate(flags: OperatorFlags & { status?: boolean }): Promise<void> {
  const config = loadOperatorConfig(flags);
  const file = embeddedDatabaseFile(config);
  if (flags.status && file !== undefined && !existsSync(file)) {
    const status = { applied: [], pending: migrations.map(({ name }) => name), unknown: [] };
    print(flags, status, [`there is no database at ${file} yet: every migration is pending`]);
    return;
  }
  if (file !== undefined) prepareDataDir(config.dataDir);
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  try {
    if (flags.status) {
      printStatus(flags, await migrationStatus(database));
      return;
    }
    const applied = await migrate(database);
    const lines = applied.map((name) => `applied ${name}`);
    print(flags, { applied }, lines.length > 0 ? lines : ['the schema is up to date']);
  } finally {
    await database.close();
  }
}

function printStatus(flags: OperatorFlags, status: MigrationStatus): void {
  const { applied, pending, unknown } = status;
  print(flags, status, [
    ...applied.map((name) => `${unknown.includes(name) ? 'unknown' : 'applied'}  ${name}`),
    ...pending.map((name) => `pending  ${name}`),
  ]);
}
