// Removes the rows of deleted projects and webhooks, in the background and in slices of some milliseconds, so that nobody
// else waits. These rows can no longer be reached or decrypted: the keys were deleted first (docs/decisions/0003).

import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import { contentSlices, type Deletable, type DeleteSlice, deletions } from './deletion-repository.ts';

/** Milliseconds between two checks for work left by another server or an operator's command. */
const intervalMs = 60_000;
/** Rows of the first slice, and of the largest. */
const firstSlice = 100;
const largestSlice = 2000;
/** Milliseconds that a slice should take: longer ones are followed by smaller ones, shorter ones by larger ones. */
const sliceMs = 5;
/** Milliseconds that the response to a deletion waits for the rows of a small project or webhook. */
const foregroundMs = 2000;
/** Length of the pause after a slice, as a multiple of the slice's time, and its maximum in milliseconds. */
const pauseFactor = 3;
const longestPauseMs = 100;

interface DeletionWorkerDeps {
  readonly database: Database;
  readonly logger: Logger;
  /** Deletes some files of a project, in a transaction, and queues their bytes for removal; false if none is left. */
  readonly deleteFiles: DeleteSlice;
  readonly afterFiles: () => void;
}

/** Creates the worker. Servers share the work; one of them deletes at a time. */
export function createDeletionWorker(deps: DeletionWorkerDeps) {
  const { database, logger, deleteFiles, afterFiles } = deps;
  let webhooksWaiting: PromiseWithResolvers<void> | undefined;

  /** Runs one kind of slice until nothing is left; false when the worker was stopped before. */
  async function deleteAll(kind: Deletable, id: string, deleteSlice: DeleteSlice): Promise<boolean> {
    let limit = firstSlice;
    while (!loop.stopping) {
      const startedMs = performance.now();
      // A killed worker continues where it stopped, so no slice needs to wait for the disk.
      const more = await database.transact((executor) => deleteSlice(executor, id, limit), {
        durability: 'process',
      });
      if (!more) return true;
      const tookMs = performance.now() - startedMs;
      if (kind === 'project' && webhooksWaiting) await removeWebhooks();
      limit = Math.max(1, Math.min(largestSlice, Math.round(limit * Math.min(2, sliceMs / tookMs))));
      await sleep(Math.min(tookMs * pauseFactor, longestPauseMs), undefined, { ref: false });
    }
    return false;
  }

  async function remove(kind: Deletable, id: string): Promise<void> {
    if (kind === 'project') {
      if (!(await deleteAll(kind, id, deleteFiles))) return;
      afterFiles();
    }
    for (const deleteSlice of contentSlices(kind)) {
      if (!(await deleteAll(kind, id, deleteSlice))) return;
    }
    await database.transact((executor) => executor.run(deletions[kind].deleteRow, { id }));
    logger.info({ [`${kind}Id`]: id }, `removed the remaining rows of a deleted ${kind}`);
  }

  /** Removes all deleted projects, or all webhooks, unless the worker is stopped; returns how many. */
  async function removeDeleted(kind: Deletable): Promise<number> {
    for (let removed = 0; ; ) {
      const rows = await database.all(deletions[kind].listDeleted);
      if (rows.length === 0) return removed;
      for (const { id } of rows) {
        if (loop.stopping) return removed;
        await remove(kind, id);
        removed += 1;
      }
    }
  }

  async function removeWebhooks(): Promise<void> {
    const waiting = webhooksWaiting;
    webhooksWaiting = undefined;
    try {
      await removeDeleted('webhook');
    } finally {
      waiting?.resolve();
    }
  }

  async function round(): Promise<undefined> {
    await removeWebhooks();
    // The write-ahead log keeps deleted data until it is compacted, and no data of a project may stay there.
    if ((await removeDeleted('project')) > 0) await database.discardDeleted();
  }

  const loop = createWorkerLoop({
    round: () => database.tryExclusively('envsnap deletions', round),
    intervalMs,
    onError: (error) =>
      logger.warn({ err: error }, 'could not remove the remaining rows of deleted projects and webhooks'),
  });

  return {
    start: () => loop.start(),
    /**
     * Begins now, and waits as long as a response may take; the rest continues in the background. Webhooks are deleted between
     * two slices of a project.
     */
    async catchUp(kind: Deletable) {
      if (kind === 'webhook') webhooksWaiting ??= Promise.withResolvers();
      const waits = [loop.wake(), sleep(foregroundMs, undefined, { ref: false })];
      await Promise.race(kind === 'webhook' ? [...waits, webhooksWaiting?.promise] : waits);
    },
    /** Removes everything that is left now, after a running round has ended. */
    finish: () => loop.wake(),
    stop: () => loop.stop(),
  };
}
