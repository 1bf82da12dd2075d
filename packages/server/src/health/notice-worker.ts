// Computes notices in the background, one at a time. Servers of one database share the work.

import { EventEmitter } from 'node:events';
import type { Clock } from '../infra/clock.ts';
import type { Database, Transact } from '../infra/db/database.ts';
import type { ByteBudget } from '../infra/http/byte-budget.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import type { CreateFeatures } from '../work.ts';
import { claimNotice, deleteNotice, postponeNotice, releaseNotices } from './notice-queue.ts';

const pollMs = 1000;
/** Lease of a claim: longer than two jobs may take. After it, another server takes over the claims of a dead one. */
const leaseMs = 60_000;
/** Delay before a retry in milliseconds, and the number of retries. */
const retryMs = 5000;
const mostAttempts = 10;

interface NoticeWorkerDeps {
  readonly database: Database;
  readonly transact: Transact;
  readonly createFeatures: CreateFeatures;
  readonly clock: Clock;
  readonly budget: ByteBudget;
  readonly logger: Logger;
  /** True if no other process uses the database. Then claims found at the start belong to a dead process. */
  readonly exclusive: boolean;
}

export function createNoticeWorker(deps: NoticeWorkerDeps) {
  const { database, transact, createFeatures, clock, budget, logger } = deps;
  const stopping = new AbortController();
  let released = !deps.exclusive;
  let lastPayer = '';

  async function workOut(projectId: string, snapshotId: string): Promise<void> {
    const holder = new EventEmitter();
    const { notices } = createFeatures(database);
    const snapshot = await notices.snapshot(snapshotId);
    lastPayer = snapshot?.payer ?? '';
    try {
      const notice =
        snapshot &&
        (await notices.workOut(snapshotId, snapshot, {
          projectId,
          payer: snapshot.payer,
          hold: (bytes) => budget.hold(holder, bytes),
          // No request is waiting for it.
          confirm: async () => undefined,
          signal: stopping.signal,
        }));
      await transact((executor) => createFeatures(executor).notices.end(projectId, snapshotId, notice));
    } finally {
      holder.emit('close');
    }
  }

  const loop = createWorkerLoop({
    async round() {
      if (!released) await database.run(releaseNotices);
      released = true;
      const nowMs = clock.nowMs();
      const claim = { nowMs, leaseUntilMs: nowMs + leaseMs, lastPayer };
      const claimed = await database.get(claimNotice, claim);
      if (!claimed) return undefined;
      const { snapshot_id: snapshotId, project_id: projectId, attempts } = claimed;
      try {
        await workOut(projectId, snapshotId);
      } catch (error) {
        if (loop.stopping) {
          await database.run(postponeNotice, { snapshotId, dueAtMs: nowMs });
          return undefined;
        }
        logger.warn({ err: error, snapshotId, attempts }, 'a notice could not be computed');
        if (attempts >= mostAttempts) await database.run(deleteNotice, { snapshotId });
        else await database.run(postponeNotice, { snapshotId, dueAtMs: clock.nowMs() + retryMs });
      }
      return 0;
    },
    intervalMs: pollMs,
    onError: (error) => logger.warn({ err: error }, 'the queue of notices could not be read'),
  });

  return {
    start: () => loop.start(),
    /** Stops the running job. The next start, or another server, begins it again. */
    async stop() {
      stopping.abort();
      await loop.stop();
    },
  };
}
