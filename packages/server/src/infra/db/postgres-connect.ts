// Takes connections from the pool. If PostgreSQL gives no more, a request waits for one that the pool has.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** PostgreSQL gives no further connection (`max_connections`, or the limit of the role or database). */
const tooManyConnections = '53300';
/** How long the pool opens no further connections after that, in milliseconds. */
const pauseMs = 5000;
/** How long a request without any connection in the pool tries for one, and how often, in milliseconds. */
const triesForMs = 4000;
const retryMs = 200;

export function createConnect(pool: pg.Pool): () => Promise<pg.PoolClient> {
  const { max } = pool.options;
  /** Unlike the pool's own count, without those that are being opened. */
  let open = 0;
  pool.on('connect', () => {
    open += 1;
    allowOneMore();
  });
  pool.on('remove', () => {
    open -= 1;
  });

  /** Several at once would only be refused together. */
  function allowOneMore(): void {
    pool.options.max = Math.min(Math.max(pool.options.max, open + 1), max);
  }

  /** The pool opens connections as long as it has fewer than its maximum; the others wait for one of them. */
  function openNoMore(): void {
    pool.options.max = open;
    setTimeout(allowOneMore, pauseMs).unref();
  }

  return async () => {
    const untilMs = performance.now() + triesForMs;
    for (;;) {
      try {
        return await pool.connect();
      } catch (error) {
        if ((error as { code?: unknown }).code !== tooManyConnections) throw error;
        // The pool itself limits this wait.
        if (open > 0) openNoMore();
        else if (performance.now() > untilMs) throw error;
        else await sleep(retryMs);
      }
    }
  };
}
