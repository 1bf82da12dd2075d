// The ledger of blobs that no file needs. A blob is entered before its first byte is stored and leaves the ledger in
// the transaction that makes its file; it enters again in the transaction that deletes the file. Whatever happens to
// the server in between, every stored byte is either a file's or in here.

import type { Knex } from 'knex';
import type { Dialect } from '../infra/db/dialect.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

/** Milliseconds an upload has until it must show that it is still going on. */
export const uploadLeaseMs = 120_000;

const leaseEnd = (qb: Knex, dialect: Dialect) => qb.raw('? + ?', [dialect.nowMs(), uploadLeaseMs]);

/** Enters a blob that is about to be stored. Times are the database's. */
export const enterUpload = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs').insert({ storage_key: p.key, remove_after: leaseEnd(qb, dialect) }),
);

/** Gives an upload more time, unless it has none left. */
export const extendUpload = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs')
    .update({ remove_after: leaseEnd(qb, dialect) })
    .where('storage_key', p.key)
    .where('remove_after', '>', dialect.nowMs()),
);

/** Takes out a blob that has its file now, unless its time is up, so that it may be removed already. */
export const releaseBlob = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs').where('storage_key', p.key).where('remove_after', '>', dialect.nowMs()).delete(),
);

/** Ends an upload's time, unless the blob has become a file's. */
export const giveUpUpload = defineStatement<{ key: string }>((qb, p) =>
  qb('unneeded_blobs').update({ remove_after: 0 }).where('storage_key', p.key),
);

/** Ends the time of every upload. Only for a database that no server works on. */
export const giveUpAllUploads = defineStatement<NoParams>((qb) =>
  qb('unneeded_blobs').update({ remove_after: 0 }),
);

/** Enters the blob of a file that is being deleted. */
export const enterDeleted = defineStatement<{ key: string }>((qb, p) =>
  qb('unneeded_blobs').insert({ storage_key: p.key, remove_after: 0 }),
);

/** Blobs that may be removed, in order, behind `after`. */
export const listDueBlobs = defineStatement<{ after: string; limit: number }, { storage_key: string }>(
  (qb, p, dialect) =>
    qb('unneeded_blobs')
      .select('storage_key')
      .where('remove_after', '<=', dialect.nowMs())
      .where('storage_key', '>', p.after)
      .orderBy('storage_key')
      .limitTo(p.limit),
);

/** Takes out a blob that has been removed. */
export const forgetBlob = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs').where('storage_key', p.key).where('remove_after', '<=', dialect.nowMs()).delete(),
);
