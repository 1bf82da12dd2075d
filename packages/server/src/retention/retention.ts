// Deletes what the service need not keep: old logs, spent answers and counters. docs/specification.md §7, §9.

import type { Clock } from '../infra/clock.ts';
import type { Database } from '../infra/db/database.ts';
import { defineStatement, type Statement } from '../infra/db/statement.ts';
import { dropPartitions, endOfWholeDays, timedTables } from '../infra/db/time-partitions.ts';
import { deleteOldDeliveries } from '../webhooks/delivery-retention.ts';

/** How long logs are kept, in days. */
export interface RetentionDays {
  readonly requestLogDays: number;
  readonly deliveryLogDays: number;
  readonly auditLogDays: number;
}

/** Rows that were deleted. */
export interface Pruned {
  readonly requestLogs: number;
  readonly deliveryAttempts: number;
  readonly events: number;
  readonly idempotencyKeys: number;
  readonly rateLimitWindows: number;
  readonly auditEntries: number;
  readonly revokedKeys: number;
  readonly expiredShares: number;
  readonly endedSessions: number;
}

const dayMs = 86_400_000;
/** Counters of a caller who has been silent for longer say nothing any more: the longest window is a day. */
const rateLimitWindowMs = dayMs + 3_600_000;
/** Rows deleted by one statement; between two, others get their turn. */
const batchSize = 1000;

interface Batch {
  beforeMs: number;
  limit: number;
}

// Ids grow with time: the oldest rows are the first ones, and no index on the time is needed.
const deleteRequestLogs = defineStatement<Batch>((qb, p) =>
  qb('request_logs')
    .whereIn('id', qb('request_logs').select('id').orderBy('id').limitTo(p.limit))
    .where('created_at', '<', p.beforeMs)
    .delete(),
);

const deleteAuditEntries = defineStatement<Batch>((qb, p) =>
  qb('audit_log')
    .whereIn('id', qb('audit_log').select('id').orderBy('id').limitTo(p.limit))
    .where('created_at', '<', p.beforeMs)
    .delete(),
);

const deleteRevokedKeys = defineStatement<Batch>((qb, p) =>
  qb('revoked_keys')
    .whereIn(
      'key_hash',
      qb('revoked_keys').select('key_hash').where('revoked_at', '<', p.beforeMs).limitTo(p.limit),
    )
    .delete(),
);

const deleteIdempotencyKeys = defineStatement<Batch>((qb, p) =>
  qb('idempotency_keys')
    .whereIn(
      'scope',
      qb('idempotency_keys').select('scope').where('expires_at', '<=', p.beforeMs).limitTo(p.limit),
    )
    .delete(),
);

const deleteExpiredShares = defineStatement<Batch>((qb, p) =>
  qb('shares')
    .whereIn('id', qb('shares').select('id').where('expires_at', '<=', p.beforeMs).limitTo(p.limit))
    .delete(),
);

const deleteEndedSessions = defineStatement<Batch>((qb, p) =>
  qb('sessions')
    .whereIn('id', qb('sessions').select('id').where('expires_at', '<=', p.beforeMs).limitTo(p.limit))
    .delete(),
);

const deleteSpentLinks = defineStatement<Batch>((qb, p) =>
  qb('console_links')
    .whereIn(
      'token_hash',
      qb('console_links').select('token_hash').where('expires_at', '<=', p.beforeMs).limitTo(p.limit),
    )
    .delete(),
);

const deleteRateLimitWindows = defineStatement<Batch>((qb, p) =>
  qb('rate_limit_windows')
    .whereIn(
      'subject',
      qb('rate_limit_windows').select('subject').where('updated_at', '<', p.beforeMs).limitTo(p.limit),
    )
    .where('updated_at', '<', p.beforeMs)
    .delete(),
);

/** Runs a deletion until it finds nothing more; returns the number of rows. */
async function deleteAll(
  database: Database,
  statement: Statement<Batch, never>,
  beforeMs: number,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const batch = await database.run(statement, { beforeMs, limit: batchSize });
    deleted += batch;
    if (batch < batchSize) return deleted;
  }
}

/** Deletes the answers kept for retries whose time is up; returns their number. Those with a secret have 10 minutes. */
export function pruneSpentAnswers(database: Database, nowMs: number): Promise<number> {
  return deleteAll(database, deleteIdempotencyKeys, nowMs);
}

/** How exactly logs are cut off. */
export interface PruneOptions {
  /**
   * Leave the rest of a day of logs until the whole day is too old, where it can go as one partition. Default false:
   * what is too old goes at once, row by row.
   */
  readonly wholeDays?: boolean;
}

/** Deletes everything that is older than it need be, in batches; servers may run it at the same time. */
export async function prune(
  database: Database,
  clock: Clock,
  days: RetentionDays,
  { wholeDays = false }: PruneOptions = {},
): Promise<Pruned> {
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
