// Compares the blobs in the store with the files in the database.

import type { FileStore } from '../files/file-store.ts';
import { sealedStreamBytes } from '../infra/crypto/sealed-stream.ts';
import type { Database } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

/** The differences. */
interface BlobComparison {
  /** Files that the database knows. */
  readonly total: number;
  /** Ids of files without bytes. */
  readonly missing: readonly string[];
  /** Ids of files whose bytes have another length. */
  readonly cut: readonly string[];
  /** Keys of stored bytes that nobody needs. */
  readonly stray: readonly string[];
}

const listFiles = defineSql<NoParams, { id: string; storage_key: string; size_bytes: number }>(
  'select id, storage_key, size_bytes from files order by id',
);
const listLedger = defineSql<NoParams, { storage_key: string }>('select storage_key from unneeded_blobs');

/** Compares. A server may be running, so each apparent difference is checked again. */
export async function compareBlobs(database: Database, store: FileStore): Promise<BlobComparison> {
  const stored = new Map<string, number>();
  for await (const { key, sizeBytes } of store.list()) stored.set(key, sizeBytes);
  const { files, ledger } = await database.frozen(async (executor) => ({
    files: await executor.all(listFiles),
    ledger: await executor.all(listLedger),
  }));
  const needed = new Set([...files, ...ledger].map((row) => row.storage_key));
  const missing: string[] = [];
  const cut: string[] = [];
  for (const { id, storage_key, size_bytes } of files) {
    const sizeBytes = stored.get(storage_key);
    if (sizeBytes !== undefined && sizeBytes !== sealedStreamBytes(size_bytes)) cut.push(id);
    // Stored after the list was made, perhaps.
    if (sizeBytes === undefined && !(await exists(store, storage_key))) missing.push(id);
  }
  const isKey = (key: string) => needed.has(key.replace(/\.part$/, ''));
  return { total: files.length, missing, cut, stray: [...stored.keys()].filter((key) => !isKey(key)) };
}

async function exists(store: FileStore, key: string): Promise<boolean> {
  try {
    for await (const _ of await store.open(key)) return true;
    return true;
  } catch {
    return false;
  }
}
