// The ledger of blobs that no file needs. A blob is entered before its first byte is stored and leaves the ledger in the
// transaction that makes its file; it enters again in the transaction that deletes the file. So whatever happens to the server,
// every stored byte belongs to a file or is listed here.

import type { Dialect } from '../infra/db/dialect.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

/** Milliseconds after which an upload must show that it is still in progress. */
export const uploadLeaseMs = 120_000;

// Times are the database's.
const leaseEnd = ({ nowMs }: Dialect) => `${nowMs()} + ${uploadLeaseMs}`;
const isDue = ({ nowMs }: Dialect) => `remove_after <= ${nowMs()}`;

export const enterUpload = defineSql<{ key: string }>(
  (dialect) => `insert into unneeded_blobs (storage_key, remove_after) values (:key, ${leaseEnd(dialect)})`,
);

export const extendUpload = defineSql<{ key: string }>(
  (dialect) => `update unneeded_blobs set remove_after = ${leaseEnd(dialect)}
  where storage_key = :key and not (${isDue(dialect)})`,
);

/** Removes the entry of a blob that now has its file. Fails if its time is up, because the blob may already be removed. */
export const releaseBlob = defineSql<{ key: string }>(
  (dialect) => `delete from unneeded_blobs where storage_key = :key and not (${isDue(dialect)})`,
);

/** Ends an upload's time, unless the blob now belongs to a file. */
export const giveUpUpload = defineSql<{ key: string }>(
  'update unneeded_blobs set remove_after = 0 where storage_key = :key',
);

/** Ends the time of every upload. Only for a database that no server works on. */
export const giveUpAllUploads = defineSql<NoParams>('update unneeded_blobs set remove_after = 0');

export const enterDeleted = defineSql<{ key: string }>(
  'insert into unneeded_blobs (storage_key, remove_after) values (:key, 0)',
);

/** Blobs that may be removed, in order, from after `after`. */
export const listDueBlobs = defineSql<{ after: string; limit: number }, { storage_key: string }>(
  (dialect) => `select storage_key from unneeded_blobs where ${isDue(dialect)} and storage_key > :after
  order by storage_key limit :limit`,
);

export const forgetBlob = defineSql<{ key: string }>(
  (dialect) => `delete from unneeded_blobs where storage_key = :key and ${isDue(dialect)}`,
);
