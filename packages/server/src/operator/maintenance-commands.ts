// `envsnap-server migrate|prune|compact|config`: looks after the database, and shows the settings.

import { existsSync } from 'node:fs';
import { showSettings } from '../config.ts';
import { createBlobSweeper } from '../files/blob-sweeper.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { OperatorError, StartupError } from '../infra/app-error.ts';
import { prepareDataDir } from '../infra/data-dir.ts';
import { openDatabase } from '../infra/db/connection.ts';
import { describeSkew, readDatabaseClock } from '../infra/db/database-clock.ts';
import { migrate, migrationStatus } from '../infra/db/migrate.ts';
import { migrations } from '../infra/db/migrations.ts';
import { compactSqlite, isSqliteInUse } from '../infra/db/sqlite-file.ts';
import { defaultByteBudget } from '../infra/http/byte-budget.ts';
import { createLogger } from '../infra/logger.ts';
import { prune } from '../retention/retention.ts';
import { recordOperation } from './operator-audit.ts';
import {
  embeddedDatabaseFile,
  loadOperatorConfig,
  type OperatorFlags,
  parseNumber,
  withDatabase,
} from './operator-session.ts';
import { columns, megabytes, print, warn } from './print.ts';

/** Migrates the schema to this program's, or shows the pending migrations. Errors: StartupError. */
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
      const status = await migrationStatus(database);
      const { applied, pending, unknown } = status;
      return print(flags, status, [
        ...applied.map((name) => `${unknown.includes(name) ? 'unknown' : 'applied'}  ${name}`),
        ...pending.map((name) => `pending  ${name}`),
      ]);
    }
    const applied = await migrate(database);
    const lines = applied.map((name) => `applied ${name}`);
    print(flags, { applied }, lines.length > 0 ? lines : ['the schema is up to date']);
  } finally {
    await database.close();
  }
}

/** Does the server's hourly deletion now. Errors: StartupError; OperatorError if the machine's clock is wrong. */
export async function runPrune(
  flags: OperatorFlags & { requestLogDays?: string; deliveryLogDays?: string },
): Promise<void> {
  const config = loadOperatorConfig(flags);
  const { requestLogDays, deliveryLogDays, auditLogDays } = config.retention;
  const daysOf = (flag: string, text: string | undefined, usual: number) =>
    text === undefined ? usual : parseNumber(flag, text, 0, 36_500);
  const days = {
    requestLogDays: daysOf('--request-log-days', flags.requestLogDays, requestLogDays),
    auditLogDays,
    deliveryLogDays: daysOf('--delivery-log-days', flags.deliveryLogDays, deliveryLogDays),
  };
  await withDatabase(config, async (database) => {
    const store = await openFileStore(config);
    const clock = await readDatabaseClock(database);
    if (clock.isOwnClockWrong()) throw new OperatorError(describeSkew(clock));
    const pruned = await prune(database, clock, days);
    const blobs = await createBlobSweeper(database, store, createLogger({ level: 'error' })).sweep();
    await recordOperation(database, 'logs.pruned', { ...pruned, blobs });
    await database.discardDeleted();
    print(
      flags,
      { ...pruned, blobs },
      columns([
        [`${pruned.requestLogs}`, `logged requests older than ${days.requestLogDays} days`],
        [`${pruned.deliveryAttempts}`, `logged deliveries older than ${days.deliveryLogDays} days`],
        [`${pruned.events}`, 'finished events of that age'],
        [`${pruned.idempotencyKeys}`, 'expired responses to idempotent requests'],
        [`${pruned.rateLimitWindows}`, 'rate limit counters of callers that stopped calling'],
        [`${pruned.auditEntries}`, `entries of the audit log older than ${days.auditLogDays} days`],
        [`${pruned.revokedKeys}`, 'records of keys that were revoked before that'],
        [`${blobs}`, 'stored files that nothing refers to'],
      ]),
    );
  });
}

/** Gives the space of deleted rows back to the disk of the embedded database. Errors: StartupError. */
export async function runCompact(flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  const file = embeddedDatabaseFile(config);
  if (file === undefined) {
    throw new StartupError(
      'PostgreSQL reuses its space itself; to return it to the disk, stop the servers and run VACUUM FULL there',
    );
  }
  // Before this command opens it too.
  if (isSqliteInUse(file)) warn('The database is in use: the server waits until this is done.');
  await withDatabase(config, async (database) => {
    const compaction = compactSqlite(file);
    await recordOperation(database, 'database.compacted', { ...compaction });
    const { bytesBefore, bytesAfter } = compaction;
    print(flags, compaction, [
      megabytes(bytesBefore) === megabytes(bytesAfter)
        ? `nothing to compact: the database takes ${megabytes(bytesAfter)}`
        : `the database shrank from ${megabytes(bytesBefore)} to ${megabytes(bytesAfter)}`,
    ]);
  });
}

/** Prints every setting in effect and its source. Opens no database. Errors: StartupError for one that does not parse. */
export async function runConfig({ dataDir, databaseUrl, ...flags }: OperatorFlags): Promise<void> {
  const settings = showSettings(process.env, { dataDir, databaseUrl }).map((setting) =>
    setting.name === 'ENVSNAP_MAX_BYTES_IN_FLIGHT'
      ? { ...setting, value: setting.value ?? defaultByteBudget() }
      : setting,
  );
  const lines = settings.map(({ name, value, secret, source }) => [
    name,
    secret ? `(${secret === 'set' ? 'hidden' : secret})` : [value ?? []].flat().join(',') || '-',
    source,
  ]);
  print(flags, { settings }, columns([['setting', 'value', 'from'], ...lines]));
}
