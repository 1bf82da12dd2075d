// The queue of deliveries and the log of attempts, as rows. Every delivery goes pending -> delivered, failed or dropped.
//
// A claim moves `next_attempt_at` to the end of its lease: work whose worker died is simply due again then.

import type { WebhookFormat } from '@envsnap/shared';
import type { Knex } from 'knex';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

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
  /** The same without what a person asked for: the retries go by it. */
  scheduled_attempt: number;
  event: string;
  payload: string;
  traceparent: string | null;
  /** A person asked for this delivery. */
  requested: boolean | number;
  url: string;
  format: WebhookFormat;
  console_url: string | null;
  secret_ciphertext: Buffer;
}

interface Claim {
  webhookId: string;
  nowMs: number;
  leaseUntilMs: number;
  leaseToken: string;
  limit: number;
}

interface NewAttemptRow {
  id: string;
  project_id: string;
  webhook_id: string;
  delivery_id: string;
  event_id: string;
  event: string;
  attempt: number;
  response_status: number | null;
  success: boolean;
  error: string | null;
  duration_ms: number;
  attempted_at: number;
}

/** A claimed delivery: nothing of it changes once its lease is lost. */
interface Fence {
  id: string;
  leaseToken: string;
}

// `state = 'pending'` stands in the SQL as it is: a bound value would hide the partial indexes from the planners.
const isPending = "webhook_deliveries.state = 'pending'";

/** Whether a delivery may go out: what a person asks for reaches an inactive webhook too. */
function isDeliverable(qb: Knex): Knex.Raw {
  return qb.raw('(webhooks.active = ? or webhook_deliveries.requested = ?) and webhooks.deleted_at is null', [
    true,
    true,
  ]);
}

/** When the first pending delivery is or was due; no row when the queue is empty. */
export const findNextDue = defineStatement<NoParams, { next_attempt_at: number }>((qb) =>
  qb('webhook_deliveries').select('next_attempt_at').whereRaw(isPending).orderBy('next_attempt_at').limit(1),
);

/** When the first delivery that is not due yet will be. */
export const findNextDueAfter = defineStatement<{ nowMs: number }, { next_attempt_at: number }>((qb, p) =>
  qb('webhook_deliveries')
    .select('next_attempt_at')
    .whereRaw(isPending)
    .where('next_attempt_at', '>', p.nowMs)
    .orderBy('next_attempt_at')
    .limit(1),
);

/** Webhooks with due deliveries. */
export const listDueWebhooks = defineStatement<{ nowMs: number }, DueWebhookRow>((qb, p) =>
  qb('webhooks')
    .select('id', 'failing_since')
    .whereExists(
      qb('webhook_deliveries')
        .select(qb.raw('1'))
        .where('webhook_id', qb.ref('webhooks.id'))
        .whereRaw(isPending)
        .where('next_attempt_at', '<=', p.nowMs)
        .where(isDeliverable(qb)),
    ),
);

/** Claims the webhook's oldest due deliveries and counts an attempt of each; passes over what others claim. */
export const claimDeliveries = defineStatement<Claim, { id: string }>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .whereIn(
      'id',
      dialect.lockFreeRows(
        qb('webhook_deliveries')
          .select('id')
          .where('webhook_id', p.webhookId)
          .whereRaw(isPending)
          .where('next_attempt_at', '<=', p.nowMs)
          .whereExists(qb('webhooks').select(qb.raw('1')).where('id', p.webhookId).where(isDeliverable(qb)))
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

/** What attempts need, oldest first; of a webhook that was switched off meanwhile, nothing. */
export const findClaimed = defineStatement<{ ids: string[] }, ClaimedDeliveryRow>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
    .join('outbox_events', 'outbox_events.id', 'webhook_deliveries.event_id')
    .select(
      'webhook_deliveries.id',
      'webhook_deliveries.project_id',
      'webhook_deliveries.webhook_id',
      'webhook_deliveries.event_id',
      'webhook_deliveries.attempt',
      qb.raw('webhook_deliveries.attempt - webhook_deliveries.redeliveries as scheduled_attempt'),
      'outbox_events.event',
      'outbox_events.payload',
      'outbox_events.traceparent',
      'webhook_deliveries.requested',
      'webhooks.url',
      'webhooks.format',
      'webhooks.console_url',
      'webhooks.secret_ciphertext',
    )
    .where(dialect.anyOf('webhook_deliveries.id', p.ids))
    .where(isDeliverable(qb))
    .orderBy([{ column: 'webhook_deliveries.created_at' }, { column: 'webhook_deliveries.id' }]),
);

const noLease = { lease_until: null, lease_token: null };

export const finishDelivery = defineStatement<Fence & { state: 'delivered' | 'failed'; nowMs: number }>(
  (qb, p) =>
    qb('webhook_deliveries')
      .where({ id: p.id, lease_token: p.leaseToken })
      .whereRaw(isPending)
      .update({ state: p.state, finished_at: p.nowMs, ...noLease }),
);

export const rescheduleDelivery = defineStatement<Fence & { nextAttemptAtMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, lease_token: p.leaseToken })
    .whereRaw(isPending)
    .update({ next_attempt_at: p.nextAttemptAtMs, ...noLease }),
);

/** Gives a claim back as if it had never been made. */
export const releaseDelivery = defineStatement<Fence & { nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, lease_token: p.leaseToken })
    .whereRaw(isPending)
    .update({ next_attempt_at: p.nowMs, attempt: qb.raw('attempt - 1'), ...noLease }),
);

/** Gives back every claim of workers that are gone. */
export const releaseAllLeases = defineStatement<{ nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .whereRaw(isPending)
    .whereNotNull('lease_until')
    .update({ next_attempt_at: p.nowMs, ...noLease }),
);

/** A webhook that is switched off and has something queued. */
export const findSwitchedOff = defineStatement<NoParams, { id: string }>((qb) =>
  qb('webhooks')
    .select('id')
    .where('active', false)
    .whereNull('deleted_at')
    .whereExists(
      qb('webhook_deliveries')
        .select(qb.raw('1'))
        .where('webhook_id', qb.ref('webhooks.id'))
        .where('requested', false)
        .whereRaw(isPending),
    )
    .limit(1),
);

/** Drops some of what a webhook has queued, while it is switched off; passes over what is being recorded. */
export const dropSome = defineStatement<{ webhookId: string; nowMs: number; limit: number }>(
  (qb, p, dialect) =>
    qb('webhook_deliveries')
      .whereIn(
        'id',
        dialect.lockFreeRows(
          qb('webhook_deliveries')
            .select('id')
            .where('webhook_id', p.webhookId)
            .where('requested', false)
            .whereRaw(isPending)
            .whereExists(qb('webhooks').select(qb.raw('1')).where({ id: p.webhookId, active: false }))
            .limitTo(p.limit),
        ),
      )
      .update({ state: 'dropped', finished_at: p.nowMs, ...noLease }),
);
/** How many at a time: some milliseconds of SQLite's, which nobody else has meanwhile. */
export const droppedAtOnce = 500;

/** Drops all that a webhook has queued; few, when {@link dropSome} came before. */
export const dropPending = defineStatement<{ webhookId: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where('webhook_id', p.webhookId)
    .where('requested', false)
    .whereRaw(isPending)
    .update({ state: 'dropped', finished_at: p.nowMs, ...noLease }),
);

/** Drops what is queued of events that a webhook no longer subscribes to. */
export const dropUnsubscribed = defineStatement<{
  webhookId: string;
  events: readonly string[];
  nowMs: number;
}>((qb, p, dialect) =>
  qb('webhook_deliveries')
    .where('webhook_id', p.webhookId)
    .where('requested', false)
    .whereRaw(isPending)
    .whereNotExists(
      qb('outbox_events')
        .select(qb.raw('1'))
        .where('id', qb.ref('webhook_deliveries.event_id'))
        .where(dialect.anyOf('event', p.events)),
    )
    .update({ state: 'dropped', finished_at: p.nowMs, ...noLease }),
);

/** Ends what is still queued of an event for a webhook: it has been delivered. */
export const finishEvent = defineStatement<{ webhookId: string; eventId: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ webhook_id: p.webhookId, event_id: p.eventId })
    .whereRaw(isPending)
    .update({ state: 'delivered', finished_at: p.nowMs, ...noLease }),
);

export const insertAttempt = defineStatement<NewAttemptRow>((qb, p) => qb('webhook_attempts').insert(p));

/** Ends a time of failure; the time of success itself is written when it is older than `staleMs`. */
export const noteSuccess = defineStatement<{ webhookId: string; nowMs: number; staleMs: number }>((qb, p) =>
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

/** Starts a time of failure, or goes on with it; gives its start. */
export const noteFailure = defineStatement<{ webhookId: string; nowMs: number }, { failing_since: number }>(
  (qb, p) =>
    qb('webhooks')
      .where('id', p.webhookId)
      .whereNull('deleted_at')
      .update({ failing_since: qb.raw('coalesce(failing_since, ?)', [p.nowMs]) })
      .returning(['failing_since']),
);

export const deactivate = defineStatement<{ webhookId: string; reason: string; nowMs: number }>((qb, p) =>
  qb('webhooks')
    .where({ id: p.webhookId, active: true })
    .update({ active: false, deactivation_reason: p.reason, updated_at: p.nowMs }),
);
