// `envsnap-server restore FILE`: a backup into an empty data folder or an empty PostgreSQL database.

import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Config, usesDataDir } from '../config.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { StartupError } from '../infra/app-error.ts';
import {
  masterKeyFile,
  parseMasterKeys,
  readMasterKeyFile,
  restoreMasterKeyFile,
} from '../infra/crypto/master-keys.ts';
import { prepareDataDir } from '../infra/data-dir.ts';
import { openDatabase } from '../infra/db/connection.ts';
import type { Database } from '../infra/db/database.ts';
import { migrationStatus, unfinishedRestore } from '../infra/db/migrate.ts';
import { isSqliteInUse } from '../infra/db/sqlite-file.ts';
import { restoreBackup, type VerifiedBackup, verifyBackup } from './backup/restore-backup.ts';
import { recordOperation } from './operator-audit.ts';
import { embeddedDatabaseFile, loadOperatorConfig, type OperatorFlags } from './operator-session.ts';
import { count, print, warn } from './print.ts';

/** Runs the command. Errors: StartupError, OperatorError. */
export async function runRestore(file: string, flags: OperatorFlags): Promise<void> {
  const config = loadOperatorConfig(flags);
  const source = path.resolve(file);
  if (!existsSync(source)) throw new StartupError(`there is no file ${source}`);
  const databaseFile = embeddedDatabaseFile(config);
  if (databaseFile !== undefined && existsSync(databaseFile) && !(await isUnfinished(databaseFile, config))) {
    throw new StartupError(
      `${config.dataDir} already contains a database; name an empty folder with --data-dir`,
    );
  }
  const keyFile = path.join(config.dataDir, masterKeyFile);
  const backup = await verifyBackup(source);
  const writesKey =
    backup.masterKey !== undefined && config.databaseUrl === undefined && !existsSync(keyFile);
  if (usesDataDir(config)) prepareDataDir(config.dataDir);
  const store = await openFileStore(config);
  // The key of an unfinished restore: this one may use another version.
  for (const suffix of databaseFile === undefined ? [] : ['', '-wal', '-shm'])
    rmSync(`${databaseFile}${suffix}`, { force: true });
  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir });
  let summary: Awaited<ReturnType<typeof restoreBackup>>;
  try {
    if (writesKey) restoreMasterKeyFile(config.dataDir, backup.masterKey as string);
    summary = await restoreBackup(backup, database, store);
  } catch (error) {
    const isMarked = await hasUnfinishedRestore(database).catch(() => true);
    await database.close();
    if (writesKey) rmSync(keyFile, { force: true });
    if (isMarked) warn('No server starts on this database until a restore into it has succeeded.');
    throw error;
  }
  const details = { createdAt: backup.manifest.createdAt };
  await recordOperation(database, 'backup.restored', details).catch((error: unknown) =>
    warn(`The restore could not be recorded in the audit log: ${(error as Error).message}`),
  );
  await database.close();
  const { rows, files } = summary;
  print(flags, { createdAt: backup.manifest.createdAt, ...summary }, [
    `restored the backup of ${backup.manifest.createdAt}: ${count(rows.projects ?? 0, 'project')}, ` +
      `${count(rows.snapshots ?? 0, 'snapshot')}, ${count(files, 'file')}`,
  ]);
  warnOfWhatIsMissing(config, backup);
}

async function hasUnfinishedRestore(database: Database): Promise<boolean> {
  return (await migrationStatus(database)).unknown.includes(unfinishedRestore.name);
}

/** Whether an embedded database was left by an unfinished restore, and nobody works on it. */
async function isUnfinished(databaseFile: string, config: Config): Promise<boolean> {
  if (isSqliteInUse(databaseFile)) return false;
  const database = await openDatabase({ url: undefined, dataDir: config.dataDir });
  try {
    const { applied } = await migrationStatus(database);
    return applied.length === 0 || (await hasUnfinishedRestore(database));
  } finally {
    await database.close();
  }
}

function warnOfWhatIsMissing(config: Config, { manifest }: VerifiedBackup): void {
  const supplied =
    config.encryptionKey === undefined
      ? readMasterKeyFile(config.dataDir)
      : parseMasterKeys(config.encryptionKey, 'ENVSNAP_ENCRYPTION_KEY');
  const missing = manifest.masterKeys.filter(({ id }) => !supplied?.keys.has(id));
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id).join(', ');
    const place =
      config.databaseUrl === undefined ? ` or the file ${path.join(config.dataDir, masterKeyFile)}` : '';
    warn(`Before you start the server, set master key ${ids} in ENVSNAP_ENCRYPTION_KEY${place}.`);
  }
  if (!manifest.includesFiles)
    warn('The backup does not contain the files: they must be in the configured store.');
}
