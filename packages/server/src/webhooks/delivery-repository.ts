// The queue of deliveries and the log of attempts, as rows. Every delivery goes pending -> delivered, failed or dropped.
//
// A claim moves `next_attempt_at` to the end of its lease: work whose worker died is simply due again then.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** A webhook that has something to be delivered now. */
export interface DueWebhookRow {
  id: string;
  failing_since: number | null;
}

/** A claimed delivery with all that an attempt needs. */
export interface ClaimedDeliveryRow {
  id: string;
  project_id: string;
  webhook_id: string;
  event_id: string;
  attempt: number;
  event: string;
  payload: string;
  traceparent: string | null;
  url: string;
  secret_ciphertext: Buffer;
}

interface Claim {
  webhookId: string;
  nowMs: number;
  leaseUntilMs: number;
  leaseToken: string;
  limit: number;
}

/** A finished attempt, for the log. */
export interface NewAttempt {
  id: string;
  projectId: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  event: string;
  attempt: number;
  responseStatus: number | null;
  success: boolean;
  error: string | null;
  durationMs: number;
  attemptedAtMs: number;
}

interface Fence {
  id: string;
  leaseToken: string;
}

/** How a delivery ended. */
export type FinalState = 'delivered' | 'failed';

// `state = 'pending'` stands in the SQL as it is: a bound value would hide the partial indexes from the planners.
const isPending = "webhook_deliveries.state = 'pending'";

const findNextDue = defineStatement<Record<never, never>, { next_attempt_at: number }>((qb) =>
  qb('webhook_deliveries').select('next_attempt_at').whereRaw(isPending).orderBy('next_attempt_at').limit(1),
);

const findNextDueAfter = defineStatement<{ nowMs: number }, { next_attempt_at: number }>((qb, p) =>
  qb('webhook_deliveries')
    .select('next_attempt_at')
    .whereRaw(isPending)
    .where('next_attempt_at', '>', p.nowMs)
    .orderBy('next_attempt_at')
    .limit(1),
);

const listDueWebhooks = defineStatement<{ nowMs: number }, DueWebhookRow>((qb, p) =>
  qb('webhooks')
    .select('id', 'failing_since')
    .where('active', true)
    .whereExists(
      qb('webhook_deliveries')
        .select(qb.raw('1'))
        .where('webhook_id', qb.ref('webhooks.id'))
        .whereRaw(isPending)
        .where('next_attempt_at', '<=', p.nowMs),
    ),
);

const claimDeliveries = defineStatement<Claim, { id: string }>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .whereIn(
      'id',
      dialect.lockFreeRows(
        qb('webhook_deliveries')
          .select('id')
          .where('webhook_id', p.webhookId)
          .whereRaw(isPending)
          .where('next_attempt_at', '<=', p.nowMs)
          .orderBy([{ column: 'next_attempt_at' }, { column: 'id' }])
          .limitTo(p.limit),
      ),
    )
    .update({
      attempt: qb.raw('attempt + 1'),
      next_attempt_at: p.leaseUntilMs,
      lease_until: p.leaseUntilMs,
      lease_token: p.leaseToken,
    })
    .returning(['id']),
);

const findClaimed = defineStatement<{ ids: string[] }, ClaimedDeliveryRow>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .join('outbox_events', 'outbox_events.id', 'webhook_deliveries.event_id')
    .select(
      'webhook_deliveries.id',
      'webhook_deliveries.project_id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.attempt',
      'outbox_events.event',
      'outbox_events.payload',
      'outbox_events.traceparent',
      'webhooks.url',
      'webhooks.secret_ciphertext',
    )
    .where(dialect.anyOf('webhook_deliveries.id', p.ids))
    .whereNull('webhooks.deleted_at')
    .orderBy([{ column: 'webhook_deliveries.created_at' }, { column: 'webhook_deliveries.id' }]),
);

const noLease = { lease_until: null, lease_token: null };

const finishDelivery = defineStatement<Fence & { state: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, lease_token: p.leaseToken })
    .whereRaw(isPending)
    .update({ state: p.state, finished_at: p.nowMs, ...noLease }),
);

const rescheduleDelivery = defineStatement<Fence & { nextAttemptAtMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, lease_token: p.leaseToken })
    .whereRaw(isPending)
    .update({ next_attempt_at: p.nextAttemptAtMs, ...noLease }),
);

const releaseDelivery = defineStatement<Fence & { nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, lease_token: p.leaseToken })
    .whereRaw(isPending)
    .update({ next_attempt_at: p.nowMs, attempt: qb.raw('attempt - 1'), ...noLease }),
);

const releaseAllLeases = defineStatement<{ nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .whereRaw(isPending)
    .whereNotNull('lease_until')
    .update({ next_attempt_at: p.nowMs, ...noLease }),
);

const dropPending = defineStatement<{ webhookId: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where('webhook_id', p.webhookId)
    .whereRaw(isPending)
    .update({ state: 'dropped', finished_at: p.nowMs, ...noLease }),
);

const insertAttempt = defineStatement<NewAttempt>((qb, p) =>
  qb('webhook_attempts').insert({
    id: p.id,
    project_id: p.projectId,
    webhook_id: p.webhookId,
    delivery_id: p.deliveryId,
    event_id: p.eventId,
    event: p.event,
    attempt: p.attempt,
    response_status: p.responseStatus,
    success: p.success,
    error: p.error,
    duration_ms: p.durationMs,
    attempted_at: p.attemptedAtMs,
  }),
);

const noteSuccess = defineStatement<{ webhookId: string; nowMs: number; staleMs: number }>((qb, p) =>
  qb('webhooks')
    .where('id', p.webhookId)
    .whereNull('deleted_at')
    .where((condition) =>
      condition
        .whereNotNull('failing_since')
        .orWhereNull('last_success_at')
        .orWhere('last_success_at', '<', p.staleMs),
    )
    .update({ failing_since: null, last_success_at: p.nowMs }),
);

const noteFailure = defineStatement<{ webhookId: string; nowMs: number }, { failing_since: number }>(
  (qb, p) =>
    qb('webhooks')
      .where('id', p.webhookId)
      .whereNull('deleted_at')
      .update({ failing_since: qb.raw('coalesce(failing_since, ?)', [p.nowMs]) })
      .returning(['failing_since']),
);

const deactivate = defineStatement<{ webhookId: string; reason: string; nowMs: number }>((qb, p) =>
  qb('webhooks')
    .where({ id: p.webhookId, active: true })
    .update({ active: false, deactivation_reason: p.reason, updated_at: p.nowMs }),
);

/** Queries of the queue and the log. */
export function createDeliveryRepository(executor: Executor) {
  return {
    /** When the first pending delivery is or was due; undefined when the queue is empty. */
    nextDueMs: async () => (await executor.get(findNextDue, {}))?.next_attempt_at,
    /** When the first delivery that is not due yet will be. */
    nextDueAfterMs: async (nowMs: number) =>
      (await executor.get(findNextDueAfter, { nowMs }))?.next_attempt_at,
    /** Active webhooks with due deliveries. */
    listDueWebhooks: (nowMs: number) => executor.all(listDueWebhooks, { nowMs }),
    /** Claims the webhook's oldest due deliveries and counts an attempt of each; passes over what others claim. */
    claim: (claim: Claim) => executor.all(claimDeliveries, claim),
    /** What attempts need, oldest first. */
    findClaimed: (ids: string[]) => executor.all(findClaimed, { ids }),
    /** Ends a delivery. 0 when the lease is lost. */
    finish: (fence: Fence, state: FinalState, nowMs: number) =>
      executor.run(finishDelivery, { ...fence, state, nowMs }),
    /** Plans the next attempt. 0 when the lease is lost. */
    reschedule: (fence: Fence, nextAttemptAtMs: number) =>
      executor.run(rescheduleDelivery, { ...fence, nextAttemptAtMs }),
    /** Gives a claim back as if it had never been made. */
    release: (fence: Fence, nowMs: number) => executor.run(releaseDelivery, { ...fence, nowMs }),
    /** Gives back every claim of workers that are gone. */
    releaseAll: (nowMs: number) => executor.run(releaseAllLeases, { nowMs }),
    /** Drops what is queued for a webhook. */
    dropPending: (webhookId: string, nowMs: number) => executor.run(dropPending, { webhookId, nowMs }),
    insertAttempt: (attempt: NewAttempt) => executor.run(insertAttempt, attempt),
    /** Ends a time of failure; the time of success itself is written when it is older than `staleMs`. */
    noteSuccess: (webhookId: string, nowMs: number, staleMs: number) =>
      executor.run(noteSuccess, { webhookId, nowMs, staleMs }),
    /** Starts a time of failure, or goes on with it; returns its start. Undefined when the webhook is gone. */
    noteFailure: async (webhookId: string, nowMs: number) =>
      (await executor.get(noteFailure, { webhookId, nowMs }))?.failing_since,
    deactivate: (webhookId: string, reason: string, nowMs: number) =>
      executor.run(deactivate, { webhookId, reason, nowMs }),
  };
}
