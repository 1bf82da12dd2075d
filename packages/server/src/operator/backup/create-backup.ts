// Makes a backup of a database and its files while servers work on them. Rows are a consistent snapshot; files never
// change, so they are read afterwards. A file that was deleted in the meantime is left out with its row; a file whose bytes are
// lost keeps its row.

import path from 'node:path';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { BlobMissingError, type FileStore } from '../../files/file-store.ts';
import { OperatorError } from '../../infra/app-error.ts';
import { sealedStreamBytes } from '../../infra/crypto/sealed-stream.ts';
import type { Database, Executor } from '../../infra/db/database.ts';
import { migrationStatus } from '../../infra/db/migrate.ts';
import { defineSql } from '../../infra/db/statement.ts';
import { version } from '../../version.ts';
import {
  compressedSuffix,
  filePrefix,
  formatVersion,
  type Manifest,
  manifestEntry,
  masterKeyEntry,
  tablePrefix,
} from './backup-format.ts';
import { encodeRow, filesTable, type Row, readTable, tables } from './tables.ts';
import { type ArchiveWriter, requireSpace, writeArchive } from './write-archive.ts';

const compress = promisify(gzip);

/** Bytes of rows in one entry, before compression: so much is in memory at once. */
const entryBytes = 8 * 1024 * 1024;

const findFile = defineSql<{ id: string }, { id: string }>('select id from files where id = :id');

interface BackupSource {
  readonly database: Database;
  /** Store of the files to include; undefined to leave their bytes out. */
  readonly store: FileStore | undefined;
  /** Text of the master key to include; undefined to leave it out. */
  readonly masterKey: string | undefined;
}

/**
 * Writes a backup to `file`. `missingFiles` are the ids of files that were deleted in the meantime, whose rows are left out;
 * `lostFiles` those whose bytes the store has lost. Errors: OperatorError if it does not fit there; those of database and store.
 */
export async function createBackup(file: string, source: BackupSource) {
  return source.database.frozen(async (executor) => {
    const manifest = await describe(executor, source);
    const rows: Record<string, number> = {};
    const missingFiles = new Set<string>();
    const lostFiles: string[] = [];
    let files = 0;
    const leastBytes =
      (await sealedVariableBytes(executor)) + (source.store ? await sealedFileBytes(executor) : 0);
    await requireSpace(path.dirname(file), leastBytes);
    await writeArchive(file, async (writer) => {
      await writer.add(manifestEntry, JSON.stringify(manifest, null, 2));
      if (source.masterKey !== undefined) await writer.add(masterKeyEntry, source.masterKey);
      if (source.store) {
        for await (const row of readTable(executor, filesTable)) {
          const id = String(row.id);
          if (await addFile(writer, source.store, row)) files += 1;
          // Rows go before bytes, so a file that still exists now was not deleted.
          else if (await source.database.get(findFile, { id })) lostFiles.push(id);
          else missingFiles.add(id);
        }
      }
      for (const table of tables) {
        const leftOut = table === filesTable ? missingFiles : undefined;
        rows[table.name] = 0;
        let part = 0;
        for await (const lines of linesOf(readTable(executor, table), leftOut)) {
          rows[table.name] = (rows[table.name] ?? 0) + lines.length;
          part += 1;
          const content = await compress(lines.join(''), { level: constants.Z_BEST_SPEED });
          const name = `${tablePrefix}${table.name}/${String(part).padStart(6, '0')}.ndjson${compressedSuffix}`;
          await writer.add(name, content);
        }
      }
    });
    return { manifest, rows, files, missingFiles: [...missingFiles], lostFiles };
  });
}

/** Size of the ciphertexts of all variables, compressed or not; the size of other columns is known only afterwards. */
async function sealedVariableBytes(executor: Executor): Promise<number> {
  const { builder } = executor.dialect;
  const bytes = builder.raw('sum(octet_length(env_ciphertext)) as bytes');
  return Number((await executor.get<{ bytes: number | null }>(builder('snapshots').select(bytes)))?.bytes);
}

/** Size of all files. */
async function sealedFileBytes(executor: Executor): Promise<number> {
  let total = 0;
  for await (const row of readTable(executor, filesTable)) total += sealedStreamBytes(Number(row.size_bytes));
  return total;
}

async function describe(executor: Executor, { store, masterKey }: BackupSource): Promise<Manifest> {
  const { applied } = await migrationStatus(executor);
  return {
    format: 'envsnap-backup',
    formatVersion,
    createdAt: new Date().toISOString(),
    program: version,
    migrations: applied,
    masterKeys: await executor.all(
      executor.dialect.builder('master_keys').select('id', 'label').orderBy('id'),
    ),
    includesFiles: store !== undefined,
    includesMasterKey: masterKey !== undefined,
  };
}

async function addFile(writer: ArchiveWriter, store: FileStore, row: Row): Promise<boolean> {
  try {
    const content = await store.open(String(row.storage_key));
    const sizeBytes = sealedStreamBytes(Number(row.size_bytes));
    await writer.addStream(
      `${filePrefix}${row.storage_key}`,
      sizeBytes,
      ofLength(content, sizeBytes, String(row.id)),
    );
    return true;
  } catch (error) {
    if (error instanceof BlobMissingError) return false;
    throw error;
  }
}

/** Passes bytes through. Errors: OperatorError if their number is not the announced one, which the archive needs in advance. */
async function* ofLength(
  content: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  id: string,
): AsyncGenerator<Uint8Array> {
  let passed = 0;
  for await (const chunk of content) {
    passed += chunk.length;
    if (passed <= sizeBytes) yield chunk;
  }
  if (passed === sizeBytes) return;
  throw new OperatorError(
    `the stored bytes of file ${id} are damaged (${passed} instead of ${sizeBytes}): restore that file from an older ` +
      'backup, or delete it; envsnap-server doctor lists all such files. No backup was made',
  );
}

/** Rows as lines, as many as fit into one entry. */
async function* linesOf(rows: AsyncIterable<Row>, leftOut?: ReadonlySet<string>): AsyncGenerator<string[]> {
  let lines: string[] = [];
  let bytes = 0;
  for await (const row of rows) {
    if (leftOut?.has(String(row.id))) continue;
    const line = encodeRow(row);
    lines.push(line);
    bytes += line.length;
    if (bytes < entryBytes) continue;
    yield lines;
    lines = [];
    bytes = 0;
  }
  if (lines.length > 0) yield lines;
}
