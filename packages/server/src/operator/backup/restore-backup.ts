// Restores a backup into an empty database and store. The archive is read twice: first to verify it, then to restore it, files
// first, then the rows, in one transaction that begins with the first row.

import { buffer, text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FileStore } from '../../files/file-store.ts';
import { OperatorError } from '../../infra/app-error.ts';
import type { Database, Executor } from '../../infra/db/database.ts';
import { migrate, unfinishedRestore } from '../../infra/db/migrate.ts';
import { migrations } from '../../infra/db/migrations.ts';
import { correctCounters, listMiscounts } from '../recount.ts';
import {
  compressedSuffix,
  filePrefix,
  type Manifest,
  manifestEntry,
  masterKeyEntry,
  parseManifest,
  tablePrefix,
} from './backup-format.ts';
import { type ArchiveEntry, openArchive } from './read-archive.ts';
import { decodeRow, tables, writeRows } from './tables.ts';

export interface VerifiedBackup {
  readonly file: string;
  readonly manifest: Manifest;
  readonly masterKey: string | undefined;
}

interface RestoreSummary {
  readonly rows: Record<string, number>;
  readonly files: number;
}

/** Reads a backup to its end. Errors: OperatorError if it is damaged, not a backup, or of a newer schema. */
export async function verifyBackup(file: string): Promise<VerifiedBackup> {
  let manifest: Manifest | undefined;
  let masterKey: string | undefined;
  for await (const { name, content } of openArchive(file)) {
    if (name === manifestEntry) manifest = parseManifest(await text(content));
    else if (!manifest) break;
    if (name === masterKeyEntry) masterKey = await text(content);
  }
  if (!manifest) throw new OperatorError(`${file} is not a backup of envsnap-server`);
  const unknown = manifest.migrations.filter((name) => !migrations.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new OperatorError(
      `the backup has a schema that this envsnap-server does not know (${unknown.join(', ')}): restore it with envsnap-server ${manifest.program} or later`,
    );
  }
  return { file, manifest, masterKey };
}

/**
 * Restores into a database without projects. Rows go into the schema of the backup, which is then migrated. Until the rows are
 * committed, the database is marked: no server starts on one whose restore failed or was killed, and the restore can be
 * repeated. Errors: OperatorError if the database is not empty; then nothing has changed.
 */
export async function restoreBackup(
  backup: VerifiedBackup,
  database: Database,
  store: FileStore,
): Promise<RestoreSummary> {
  const itsMigrations = migrations.filter(({ name }) => backup.manifest.migrations.includes(name));
  await requireEmpty(database);
  await migrate(database, [unfinishedRestore, ...(itsMigrations.length > 0 ? itsMigrations : migrations)]);
  const stored: string[] = [];
  const entries = openArchive(backup.file);
  try {
    const firstRows = await restoreFiles(entries, store, stored);
    // On a separate connection and under the migration lock, so that there is no time limit and no server starts.
    const rows = await database.migrating(({ transact }) =>
      transact((executor) => restoreRows(executor, entries, firstRows)),
    );
    await migrate(database);
    for (const { projectId } of await listMiscounts(database))
      await database.transact((executor) => correctCounters(executor, projectId));
    return { rows, files: stored.length };
  } catch (error) {
    await entries.return(undefined);
    for (const key of stored) await store.remove(key).catch(() => undefined);
    throw error;
  }
}

async function requireEmpty(database: Database): Promise<void> {
  const { builder, tableExists } = database.dialect;
  const table = await database.get<{ present: boolean | number }>(
    builder.raw(`select ${tableExists('projects')} as present`),
  );
  if (table?.present && (await database.get(builder('projects').select('id').limit(1)))) {
    throw new OperatorError('the database already contains projects; restore the backup into an empty one');
  }
}

/** Stores the files. Returns the first entry after the files, before its content is read. */
async function restoreFiles(
  entries: AsyncGenerator<ArchiveEntry>,
  store: FileStore,
  stored: string[],
): Promise<ArchiveEntry | undefined> {
  for (;;) {
    const { value: entry, done } = await entries.next();
    if (done || entry.name.startsWith(tablePrefix)) return done ? undefined : entry;
    if (!entry.name.startsWith(filePrefix)) continue;
    const key = entry.name.slice(filePrefix.length);
    stored.push(key);
    // Remains of an earlier restore that was killed.
    await store.remove(key);
    await store.put(key, entry.content);
  }
}

async function restoreRows(
  executor: Executor,
  entries: AsyncGenerator<ArchiveEntry>,
  first: ArchiveEntry | undefined,
): Promise<Record<string, number>> {
  const { builder } = executor.dialect;
  const rows: Record<string, number> = Object.fromEntries(tables.map(({ name }) => [name, 0]));
  // A database that has been started already knows its master key.
  await executor.run(builder('master_keys').delete());
  let entry = first;
  while (entry) {
    const { name } = entry;
    const table = tables.find((candidate) => name.startsWith(`${tablePrefix}${candidate.name}/`));
    if (table) {
      const lines = (await textOf(entry)).split('\n').filter(Boolean);
      await writeRows(executor, table, lines.map(decodeRow));
      rows[table.name] = (rows[table.name] ?? 0) + lines.length;
    }
    const next = await entries.next();
    entry = next.done ? undefined : next.value;
  }
  await executor.run(builder('schema_migrations').where('name', unfinishedRestore.name).delete());
  return rows;
}

const decompress = promisify(gunzip);

async function textOf({ name, content }: ArchiveEntry): Promise<string> {
  const bytes = await buffer(content);
  return (name.endsWith(compressedSuffix) ? await decompress(bytes) : bytes).toString();
}
