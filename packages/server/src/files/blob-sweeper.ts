// Removes blobs that no file needs, in the background: at the start, soon after a deletion, and every minute.

import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import { forgetBlob, listDueBlobs } from './blob-ledger.ts';
import type { FileStore } from './file-store.ts';

const intervalMs = 60_000;
const pageSize = 100;
/** A store that fails this often in a row counts as unavailable; the next sweep tries again. */
const maxFailuresInARow = 3;

export type BlobSweeper = ReturnType<typeof createBlobSweeper>;

/** Creates the sweeper. Several may work on one database, because removing a blob twice does no harm. */
export function createBlobSweeper(database: Database, store: FileStore, logger: Logger) {
  async function sweep(): Promise<number> {
    let removed = 0;
    let failuresInARow = 0;
    let after = '';
    for (;;) {
      const due = await database.all(listDueBlobs, { after, limit: pageSize });
      for (const { storage_key: key } of due) {
        if (loop.stopping) return removed;
        try {
          await store.remove(key);
          await database.run(forgetBlob, { key });
          removed += 1;
          failuresInARow = 0;
        } catch (error) {
          failuresInARow += 1;
          if (failuresInARow >= maxFailuresInARow) throw error;
        }
        after = key;
      }
      if (due.length < pageSize) return removed;
    }
  }

  const loop = createWorkerLoop({
    async round() {
      await sweep();
      return undefined;
    },
    intervalMs,
    onError: (error) => logger.warn({ err: error, store: store.location }, 'could not remove stored files'),
  });

  return {
    start: () => loop.start(),
    wake: () => void loop.wake(),
    sweep,
    stop: () => loop.stop(),
  };
}
