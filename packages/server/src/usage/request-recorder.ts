// Writes the request log: collects rows in memory and writes them in batches, outside of the request.

import { touchKey } from '../api-keys/repository.ts';
import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import {
  addTotals,
  insertLog,
  type LoggedRequestRow,
  listExistingProjects,
} from './request-log-repository.ts';

/** Longest time a row waits, in milliseconds. */
const flushEveryMs = 1000;
/**
 * Number of waiting rows that starts a batch early. An embedded database then blocks the thread for about 2 ms. Larger batches
 * would save little of the fixed cost (totals, projects).
 */
const batchRows = 256;
/** Maximum number of rows to keep while the database is unavailable; older ones are dropped first. */
const maxWaitingRows = 50_000;
/** A key's `lastUsedAt` is written again only when it is older than this, in milliseconds. */
const lastUsedPrecisionMs = 60_000;

export type RequestRecorder = ReturnType<typeof createRequestRecorder>;

/** Creates the recorder. Hourly totals and keys' `lastUsedAt` are kept in the same transaction as the rows. */
export function createRequestRecorder(database: Database, logger: Logger) {
  let waiting: LoggedRequestRow[] = [];
  let flushing: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When each key's `lastUsedAt` was last written by this process, in milliseconds since the epoch. */
  const touched = new Map<string, number>();

  function schedule(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, flushEveryMs);
    timer.unref();
  }

  function flush(): Promise<void> {
    flushing ??= writeAll().finally(() => {
      flushing = undefined;
    });
    return flushing;
  }

  /** Writes the rows that wait now. Later rows wait for the next batch; otherwise there would be a batch for every few rows under load. */
  async function writeAll(): Promise<void> {
    for (let remaining = waiting.length; remaining > 0; ) {
      const batch = waiting.splice(0, Math.min(remaining, batchRows));
      remaining -= batch.length;
      try {
        await write(batch);
      } catch (error) {
        logger.warn({ err: error, rows: batch.length }, 'could not write the request log; trying again');
        waiting = [...batch, ...waiting].slice(-maxWaitingRows);
        schedule();
        return;
      }
    }
    if (waiting.length > 0) schedule();
  }

  async function write(batch: readonly LoggedRequestRow[]): Promise<void> {
    const keys = keysToTouch(batch);
    await database.transact(
      async (executor) => {
        const ids = [...new Set(batch.map((row) => row.project_id))];
        const projects = await executor.all(listExistingProjects, { ids });
        const existing = new Set(projects.map(({ id }) => id));
        const rows = batch.filter((row) => existing.has(row.project_id));
        insertLog(executor, rows);
        addTotals(executor, rows);
        for (const [id, usedMs] of keys)
          executor.write(touchKey, { id, nowMs: usedMs, staleMs: usedMs - lastUsedPrecisionMs });
      },
      { durability: 'process', growing: true },
    );
    for (const [id, usedMs] of keys) touched.set(id, usedMs);
    if (touched.size > 10_000) touched.clear();
  }

  function keysToTouch(batch: readonly LoggedRequestRow[]): Map<string, number> {
    const keys = new Map<string, number>();
    for (const row of batch) {
      if (row.created_at - (touched.get(row.api_key_id) ?? 0) >= lastUsedPrecisionMs) {
        keys.set(row.api_key_id, row.created_at);
      }
    }
    // One order for all replicas, as below.
    return new Map([...keys].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  return {
    record(row: LoggedRequestRow) {
      waiting.push(row);
      if (waiting.length >= batchRows) void flush();
      else schedule();
    },
    /** Writes everything recorded so far. Also resolves if the database is unavailable; the rows are kept and tried again. */
    async flush() {
      // A flush in progress may have begun before the last rows.
      await flushing;
      await flush();
    },
    async stop() {
      clearTimeout(timer);
      await flushing;
      await flush();
      clearTimeout(timer);
    },
  };
}
