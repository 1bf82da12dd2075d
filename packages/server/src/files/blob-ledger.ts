// The ledger of blobs that no file needs. A blob is entered before its first byte is stored and leaves the ledger in
// the transaction that makes its file; it enters again in the transaction that deletes the file. Whatever happens to
// the server in between, every stored byte is either a file's or in here.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** Milliseconds an upload has until it must show that it is still going on. */
export const uploadLeaseMs = 120_000;

const enter = defineStatement<{ key: string; leaseMs: number }>((qb, p, dialect) =>
  qb('unneeded_blobs').insert({
    storage_key: p.key,
    remove_after: qb.raw('? + ?', [dialect.nowMs(), p.leaseMs]),
  }),
);

const extend = defineStatement<{ key: string; leaseMs: number }>((qb, p, dialect) =>
  qb('unneeded_blobs')
    .update({ remove_after: qb.raw('? + ?', [dialect.nowMs(), p.leaseMs]) })
    .where('storage_key', p.key)
    .where('remove_after', '>', dialect.nowMs()),
);

const release = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs').where('storage_key', p.key).where('remove_after', '>', dialect.nowMs()).delete(),
);

const giveUp = defineStatement<{ key: string }>((qb, p) =>
  qb('unneeded_blobs').update({ remove_after: 0 }).where('storage_key', p.key),
);

const giveUpAll = defineStatement((qb) => qb('unneeded_blobs').update({ remove_after: 0 }));

const enterFile = defineStatement<{ key: string }>((qb, p) =>
  qb('unneeded_blobs').insert({ storage_key: p.key, remove_after: 0 }),
);

const listDue = defineStatement<{ after: string; limit: number }, { storage_key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs')
    .select('storage_key')
    .where('remove_after', '<=', dialect.nowMs())
    .where('storage_key', '>', p.after)
    .orderBy('storage_key')
    .limitTo(p.limit),
);

const forget = defineStatement<{ key: string }>((qb, p, dialect) =>
  qb('unneeded_blobs').where('storage_key', p.key).where('remove_after', '<=', dialect.nowMs()).delete(),
);

/** The ledger on one connection or transaction. Times are the database's. */
export function createBlobLedger(executor: Executor) {
  return {
    /** Enters a blob that is about to be stored. */
    enter: (key: string) => executor.run(enter, { key, leaseMs: uploadLeaseMs }),
    /** Gives an upload more time; false when it has none left. */
    extend: async (key: string) => (await executor.run(extend, { key, leaseMs: uploadLeaseMs })) > 0,
    /** Takes out a blob that has its file now; false when its time was up, so that it may be removed already. */
    release: async (key: string) => (await executor.run(release, { key })) > 0,
    /** Ends an upload's time; false when the blob has become a file's. */
    giveUp: async (key: string) => (await executor.run(giveUp, { key })) > 0,
    /** Ends the time of every upload. Only for a database that no server works on. */
    giveUpAll: () => executor.run(giveUpAll, {}),
    /** Enters the blob of a file that is being deleted. */
    enterFile: (key: string) => executor.run(enterFile, { key }),
    /** Keys of blobs that may be removed, in order, behind `after`. */
    listDue: async (after: string, limit: number) =>
      (await executor.all(listDue, { after, limit })).map((row) => row.storage_key),
    /** Takes out a blob that has been removed. */
    forget: (key: string) => executor.run(forget, { key }),
  };
}
