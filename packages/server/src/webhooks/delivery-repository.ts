// The queue of deliveries and the log of attempts, as rows. Every delivery goes pending -> delivered, failed or dropped.
//
// A claim moves `next_attempt_at` to the end of its lease, so the deliveries of a dead worker become due again.

import type { WebhookFormat } from '@envsnap/shared';
import { defineInsert, defineSql, type NoParams } from '../infra/db/statement.ts';

export interface DueWebhookRow {
  id: string;
  failing_since: number | null;
}

export interface ClaimedDeliveryRow {
  id: string;
  project_id: string;
  webhook_id: string;
  event_id: string;
  attempt: number;
  /** The same without tests and redeliveries, because retries depend on it. */
  scheduled_attempt: number;
  event: string;
  payload: string;
  traceparent: string | null;
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

/** A claimed delivery. Once its lease is lost, the worker can no longer change it. */
interface Fence {
  id: string;
  leaseToken: string;
}

// The state is a literal in the SQL: a bound value would hide the partial indexes from the planners.
const isPending = "webhook_deliveries.state = 'pending'";
/** Whether a delivery may go out: tests and redeliveries reach an inactive webhook too. */
const isDeliverable =
  '(webhooks.active = true or webhook_deliveries.requested = true) and webhooks.deleted_at is null';
const isDue = `${isPending} and next_attempt_at <= :nowMs`;
const noLease = 'lease_until = null, lease_token = null';
const ofFence = `where id = :id and lease_token = :leaseToken and ${isPending}`;

/** When the first pending delivery is or was due; no row when the queue is empty. */
export const findNextDue = defineSql<NoParams, { next_attempt_at: number }>(
  `select next_attempt_at from webhook_deliveries where ${isPending} order by next_attempt_at limit 1`,
);

export const findNextDueAfter = defineSql<{ nowMs: number }, { next_attempt_at: number }>(
  `select next_attempt_at from webhook_deliveries where ${isPending} and next_attempt_at > :nowMs
  order by next_attempt_at limit 1`,
);

export const listDueWebhooks = defineSql<{ nowMs: number }, DueWebhookRow>(
  `select id, failing_since from webhooks where exists (
    select 1 from webhook_deliveries where webhook_id = webhooks.id and ${isDue} and ${isDeliverable})`,
);

/** Claims the webhook's oldest due deliveries and counts an attempt of each; skips those that others have claimed. */
export const claimDeliveries = defineSql<Claim, { id: string }>(
  ({ lockFree }) => `update webhook_deliveries
  set attempt = attempt + 1, next_attempt_at = :leaseUntilMs, lease_until = :leaseUntilMs, lease_token = :leaseToken
  where id in (
    select id from webhook_deliveries where webhook_id = :webhookId and ${isDue}
      and exists (select 1 from webhooks where id = :webhookId and ${isDeliverable})
    order by next_attempt_at, id limit :limit ${lockFree('webhook_deliveries')})
  returning id`,
);

/** Data for attempts, oldest first; none for a webhook that was switched off in the meantime. */
export const findClaimed = defineSql<{ ids: string[] }, ClaimedDeliveryRow>(
  ({ anyOf }) => `select webhook_deliveries.id, webhook_deliveries.project_id, webhook_id, event_id, attempt,
    attempt - redeliveries as scheduled_attempt, event, payload, traceparent, requested,
    url, format, console_url, secret_ciphertext
  from webhook_deliveries join webhooks on webhooks.id = webhook_id join outbox_events on outbox_events.id = event_id
  where ${anyOf('webhook_deliveries.id', 'ids')} and ${isDeliverable}
  order by webhook_deliveries.created_at, webhook_deliveries.id`,
);

export const finishDelivery = defineSql<Fence & { state: 'delivered' | 'failed'; nowMs: number }>(
  `update webhook_deliveries set state = :state, finished_at = :nowMs, ${noLease} ${ofFence}`,
);

export const rescheduleDelivery = defineSql<Fence & { nextAttemptAtMs: number }>(
  `update webhook_deliveries set next_attempt_at = :nextAttemptAtMs, ${noLease} ${ofFence}`,
);

/** Releases a claim as if it had never been made. */
export const releaseDelivery = defineSql<Fence & { nowMs: number }>(
  `update webhook_deliveries set next_attempt_at = :nowMs, attempt = attempt - 1, ${noLease} ${ofFence}`,
);

export const releaseAllLeases = defineSql<{ nowMs: number }>(
  `update webhook_deliveries set next_attempt_at = :nowMs, ${noLease} where ${isPending} and lease_until is not null`,
);

export const findSwitchedOff = defineSql<NoParams, { id: string }>(
  `select id from webhooks where active = false and deleted_at is null and exists (
    select 1 from webhook_deliveries where webhook_id = webhooks.id and requested = false and ${isPending}) limit 1`,
);

const drop = `update webhook_deliveries set state = 'dropped', finished_at = :nowMs, ${noLease}`;
const isQueued = `webhook_id = :webhookId and requested = false and ${isPending}`;

/** Drops some queued deliveries of an inactive webhook; skips those that are being recorded. */
export const dropSome = defineSql<{ webhookId: string; nowMs: number; limit: number }>(
  ({ lockFree }) => `${drop} where id in (
    select id from webhook_deliveries where ${isQueued}
      and exists (select 1 from webhooks where id = :webhookId and active = false)
    limit :limit ${lockFree('webhook_deliveries')})`,
);
/** Deliveries of one slice: some milliseconds of SQLite, in which all others wait. */
export const droppedAtOnce = 500;

/** Drops all queued deliveries of a webhook; few remain after {@link dropSome}. */
export const dropPending = defineSql<{ webhookId: string; nowMs: number }>(`${drop} where ${isQueued}`);

export const dropUnsubscribed = defineSql<{ webhookId: string; events: readonly string[]; nowMs: number }>(
  ({ anyOf }) => `${drop} where ${isQueued} and not exists (
    select 1 from outbox_events where id = webhook_deliveries.event_id and ${anyOf('event', 'events')})`,
);

export const finishEvent = defineSql<{ webhookId: string; eventId: string; nowMs: number }>(
  `update webhook_deliveries set state = 'delivered', finished_at = :nowMs, ${noLease}
  where webhook_id = :webhookId and event_id = :eventId and ${isPending}`,
);

export const insertAttempt = defineInsert<NewAttemptRow>('webhook_attempts');

/** Ends a period of failure; writes the time of success only if the stored one is older than `staleMs`. */
export const noteSuccess = defineSql<{ webhookId: string; nowMs: number; staleMs: number }>(
  `update webhooks set failing_since = null, last_success_at = :nowMs
  where id = :webhookId and deleted_at is null
    and (failing_since is not null or last_success_at is null or last_success_at < :staleMs)`,
);

/** Starts or continues a period of failure; returns its start. */
export const noteFailure = defineSql<{ webhookId: string; nowMs: number }, { failing_since: number }>(
  `update webhooks set failing_since = coalesce(failing_since, :nowMs)
  where id = :webhookId and deleted_at is null returning failing_since`,
);

export const deactivate = defineSql<{ webhookId: string; reason: string; nowMs: number }>(
  `update webhooks set active = false, deactivation_reason = :reason, updated_at = :nowMs
  where id = :webhookId and active = true`,
);
