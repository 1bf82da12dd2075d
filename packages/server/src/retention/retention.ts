// Deletes data that is no longer needed: old logs, expired responses and counters. docs/specification.md §7, §9.

import type { Clock } from '../infra/clock.ts';
import type { Database } from '../infra/db/database.ts';
import type { DatabaseClock } from '../infra/db/database-clock.ts';
import { defineSql, type Statement } from '../infra/db/statement.ts';
import { addPartitions, dropPartitions, endOfWholeDays, timedTables } from '../infra/db/time-partitions.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { deleteOldDeliveries, inBatches } from '../webhooks/delivery-retention.ts';

interface RetentionDays {
  readonly requestLogDays: number;
  readonly deliveryLogDays: number;
  readonly auditLogDays: number;
}

const dayMs = 86_400_000;
/** Time without a call after which counters are useless: the longest window is a day. */
const rateLimitWindowMs = dayMs + 3_600_000;
/** Rows deleted by one statement; other requests run between two statements. */
const batchSize = 1000;

interface Batch {
  beforeMs: number;
  limit: number;
}

/** Ids grow with time: the oldest rows are the first ones, and no index on the time is needed. */
const deleteFirst = (table: string) =>
  defineSql<Batch>(
    `delete from ${table}
    where id in (select id from ${table} order by id limit :limit) and created_at < :beforeMs`,
  );
const deleteRequestLogs = deleteFirst('request_logs');
const deleteAuditEntries = deleteFirst('audit_log');

/** Keeps a row that has changed in the meantime. */
const deleteBefore = (table: string, key: string, time: string, comparison: '<' | '<=') =>
  defineSql<Batch>(
    `delete from ${table} where ${key} in (
      select ${key} from ${table} where ${time} ${comparison} :beforeMs limit :limit
    ) and ${time} ${comparison} :beforeMs`,
  );
const deleteRevokedKeys = deleteBefore('revoked_keys', 'key_hash', 'revoked_at', '<');
const deleteIdempotencyKeys = deleteBefore('idempotency_keys', 'scope', 'expires_at', '<=');
const deleteExpiredShares = deleteBefore('shares', 'id', 'expires_at', '<=');
const deleteEndedSessions = deleteBefore('sessions', 'id', 'expires_at', '<=');
const deleteSpentLinks = deleteBefore('console_links', 'token_hash', 'expires_at', '<=');
const deleteRateLimitWindows = deleteBefore('rate_limit_windows', 'subject', 'updated_at', '<');

function deleteAll(
  database: Database,
  statement: Statement<Batch, never>,
  beforeMs: number,
): Promise<number> {
  return inBatches(batchSize, (limit) => database.run(statement, { beforeMs, limit }));
}

/** Deletes the expired responses that were kept for retries; returns their number. Those with a secret have 10 minutes. */
export function pruneSpentAnswers(database: Database, nowMs: number): Promise<number> {
  return deleteAll(database, deleteIdempotencyKeys, nowMs);
}

/**
 * Deletes everything that is too old, in batches; several servers may run it at the same time. With `wholeDays`, a day of logs goes as
 * one partition once the whole day is too old; else old rows go at once, one by one.
 */
export async function prune(database: Database, clock: Clock, days: RetentionDays, wholeDays = false) {
  const nowMs = clock.nowMs();
  const before = (keptDays: number) => {
    const beforeMs = nowMs - keptDays * dayMs;
    return wholeDays ? endOfWholeDays(database.dialect, beforeMs) : beforeMs;
  };
  const requestsBeforeMs = before(days.requestLogDays);
  const deliveries = await deleteOldDeliveries(database, before(days.deliveryLogDays));
  const requests = await dropPartitions(database, timedTables.requestLogs, requestsBeforeMs);
  const auditBeforeMs = nowMs - days.auditLogDays * dayMs;
  return {
    requestLogs: requests + (await deleteAll(database, deleteRequestLogs, requestsBeforeMs)),
    deliveryAttempts: deliveries.attempts,
    events: deliveries.events,
    idempotencyKeys: await pruneSpentAnswers(database, nowMs),
    rateLimitWindows: await deleteAll(database, deleteRateLimitWindows, nowMs - rateLimitWindowMs),
    auditEntries: await deleteAll(database, deleteAuditEntries, auditBeforeMs),
    revokedKeys: await deleteAll(database, deleteRevokedKeys, auditBeforeMs),
    expiredShares: await deleteAll(database, deleteExpiredShares, nowMs),
    endedSessions:
      (await deleteAll(database, deleteEndedSessions, nowMs)) +
      (await deleteAll(database, deleteSpentLinks, nowMs)),
  };
}

const intervalMs = 60_000;
/** Number of rounds after which everything is pruned, not only expired responses. */
const roundsPerPrune = 60;

export function createRetentionWorker(
  database: Database,
  clock: DatabaseClock,
  days: RetentionDays,
  logger: Logger,
  metrics: Pick<Metrics, 'countRetention'>,
) {
  let rounds = 0;

  async function round(): Promise<undefined> {
    await clock.synchronize();
    if (clock.isOwnClockWrong()) return;
    const isWhole = rounds % roundsPerPrune === 0;
    rounds += 1;
    if (!isWhole) {
      await pruneSpentAnswers(database, clock.nowMs());
      return;
    }
    const pruned = await database.tryExclusively('envsnap retention', async () => {
      await addPartitions(database, clock.nowMs());
      return prune(database, clock, days, true);
    });
    if (pruned) metrics.countRetention({ ...pruned });
    if (pruned && Object.values(pruned).some((count) => count > 0)) logger.info({ pruned }, 'pruned');
  }

  const loop = createWorkerLoop({
    round,
    intervalMs,
    onError(error) {
      metrics.countRetention('failed');
      logger.warn({ err: error }, 'could not prune');
    },
  });
  return { start: () => loop.start(intervalMs), wake: loop.wake, stop: loop.stop };
}
