// Runs in a thread of its own: copies SQLite's write-ahead log back to the database, on a connection that does nothing else.

import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';

/** What the thread is started with. */
export interface CheckpointThreadData {
  readonly file: string;
}

/** What a checkpoint came to: pages that the log holds, and pages of it that are in the database now. */
export interface Copied {
  readonly log: number;
  readonly checkpointed: number;
}

/** While a copy runs, more is written; what came in that time is copied next, so often at most. */
const mostPasses = 4;
/** With so few pages left, the rest is quick. */
const fewPages = 100;

const { file } = workerData as CheckpointThreadData;
const connection = new BetterSqlite3(file, { fileMustExist: true });
connection.pragma('synchronous = FULL');
connection.pragma('checkpoint_fullfsync = ON');
connection.pragma('cache_size = 8');

/** Never waits for those who read or write, nor makes them wait. */
function copy(): Copied {
  const [copied] = connection.pragma('wal_checkpoint(PASSIVE)') as Copied[];
  return copied ?? { log: 0, checkpointed: 0 };
}

parentPort?.on('message', (message: 'copy' | 'close') => {
  if (message === 'close') {
    connection.close();
    parentPort?.close();
    return;
  }
  try {
    for (let pass = 0; pass < mostPasses; pass += 1) {
      const { log, checkpointed } = copy();
      if (log - checkpointed <= fewPages) break;
    }
  } catch {
    // A full or failing disk: the connection that writes meets it too, and tells.
  }
  parentPort?.postMessage('done');
});
