// Puts a backup into an empty database and store. The archive is read twice: once to be sure that it is whole, then to
// restore it; rows are one transaction.

import type { FileStore } from '../../files/file-store.ts';
import type { Database, Executor } from '../../infra/db/database.ts';
import { migrate } from '../../infra/db/migrate.ts';
import { migrations } from '../../infra/db/migration.ts';
import { OperatorError } from '../operator-error.ts';
import { correctCounters, listMiscounts } from '../recount.ts';
import { collect, readArchive } from './archive.ts';
import {
  filePrefix,
  type Manifest,
  manifestEntry,
  masterKeyEntry,
  parseManifest,
  tablePrefix,
} from './manifest.ts';
import { decodeRow, tables, writeRows } from './tables.ts';

/** A backup that has been read from end to end and is whole. */
export interface VerifiedBackup {
  readonly file: string;
  readonly manifest: Manifest;
  readonly masterKey: string | undefined;
}

/** What was restored. */
export interface RestoreSummary {
  readonly rows: Record<string, number>;
  readonly files: number;
}

/** Reads a backup to its end. Errors: OperatorError when it is damaged, none, or of a newer schema. */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  let manifest: Manifest | undefined;
  let masterKey: string | undefined;
  await readArchive(file, async ({ name, content }) => {
    if (name === manifestEntry) manifest = parseManifest((await collect(content)).toString());
    else if (!manifest) throw new OperatorError(`${file} is no backup of envsnap-server`);
    if (name === masterKeyEntry) masterKey = (await collect(content)).toString();
  });
  if (!manifest) throw new OperatorError(`${file} is no backup of envsnap-server`);
  const unknown = manifest.migrations.filter((name) => !migrations.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `the backup has a newer schema (${unknown.join(', ')}): restore it with envsnap-server ${manifest.program} or later`,
    );
  }
  return { file, manifest, masterKey };
}

/**
 * Restores into a database without projects. Rows go into the schema that they come from, which is then brought up to
 * date. Errors: OperatorError when the database is not empty; then nothing has changed.
 */
export async function restoreBackup(
  backup: VerifiedBackup,
  database: Database,
  store: FileStore,
): Promise<RestoreSummary> {
  const itsMigrations = migrations.filter(({ name }) => backup.manifest.migrations.includes(name));
  await migrate(database, itsMigrations.length > 0 ? itsMigrations : migrations);
  await requireEmpty(database);
  const stored: string[] = [];
  try {
    await readArchive(backup.file, async ({ name, content }) => {
      if (!name.startsWith(filePrefix)) return;
      const key = name.slice(filePrefix.length);
      stored.push(key);
      await store.put(key, content);
    });
    const rows = await database.transact((executor) => restoreRows(backup, executor));
    await migrate(database);
    return { rows, files: stored.length };
  } catch (error) {
    for (const key of stored) await store.remove(key).catch(() => undefined);
    throw error;
  }
}

async function requireEmpty(database: Database): Promise<void> {
  const { builder } = database.dialect;
  const project = await database.get(builder('projects').select('id').limit(1));
  if (project) {
    throw new OperatorError(
      'the database holds projects already; a backup is restored into an empty one only',
    );
  }
}

async function restoreRows(backup: VerifiedBackup, executor: Executor): Promise<Record<string, number>> {
  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  // A database that has been started already knows its master key.
  await executor.run(executor.dialect.builder('master_keys').delete());
  await readArchive(backup.file, async ({ name, content }) => {
    const table = tables.find((candidate) => name.startsWith(`${tablePrefix}${candidate.name}/`));
    if (!table) return;
    const lines = (await collect(content)).toString().split('\n').filter(Boolean);
    await writeRows(executor, table, lines.map(decodeRow));
    rows[table.name] = (rows[table.name] ?? 0) + lines.length;
  });
  for (const { projectId } of await listMiscounts(executor)) await correctCounters(executor, projectId);
  return rows;
}
