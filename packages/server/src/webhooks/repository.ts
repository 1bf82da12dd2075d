// Rows of webhooks, and their delivery log for callers. The dispatcher's queries are in delivery-repository.ts.

import type { WebhookEvent, WebhookFormat } from '@envsnap/shared';
import { defineInsert, defineSql } from '../infra/db/statement.ts';

/** A webhook as its row has it; times in milliseconds since the epoch, `events` as JSON. */
export interface WebhookRow {
  id: string;
  url: string;
  events: string;
  format: WebhookFormat;
  active: boolean;
  created_at: number;
}

export interface AttemptRow {
  id: string;
  event_id: string;
  event: string;
  response_status: number | null;
  success: boolean;
  attempted_at: number;
  attempt: number;
  duration_ms: number;
  error: string | null;
}

export const attemptColumns =
  'id, event_id, event, response_status, success, attempted_at, attempt, duration_ms, error';

interface NewWebhookRow extends WebhookRow {
  project_id: string;
  secret_ciphertext: Uint8Array;
  console_url: string | null;
  updated_at: number;
}

interface Identity {
  projectId: string;
  id: string;
}

const select = 'select id, url, events, format, active, created_at from webhooks';
const isTheirs = 'project_id = :projectId and deleted_at is null';

export const insertWebhook = defineInsert<NewWebhookRow>('webhooks');

export const countWebhooks = defineSql<{ projectId: string }, { total: number }>(
  `select count(*) as total from webhooks where ${isTheirs}`,
);

export const listWebhooks = defineSql<{ projectId: string }, WebhookRow>(
  `${select} where ${isTheirs} order by created_at desc, id desc`,
);

export const listFailingWebhooks = defineSql<{ projectId: string }, { id: string }>(
  `select id from webhooks where ${isTheirs} and (failing_since is not null or deactivation_reason is not null)
  order by created_at, id`,
);

export const findWebhook = defineSql<Identity, WebhookRow>(`${select} where id = :id and ${isTheirs}`);

export const lockWebhook = defineSql<Identity, WebhookRow>(
  ({ lock }) => `${select} where id = :id and ${isTheirs} ${lock('webhooks')}`,
);

interface ChangedWebhook extends Omit<WebhookRow, 'created_at'> {
  consoleUrl: string | null;
  nowMs: number;
}

export const updateWebhook = defineSql<ChangedWebhook>(
  `update webhooks set url = :url, events = :events, format = :format, active = :active,
    console_url = :consoleUrl, updated_at = :nowMs where id = :id`,
);

export const restartClock = defineSql<{ id: string }>(
  'update webhooks set failing_since = null, deactivation_reason = null where id = :id',
);

/**
 * Deletes a webhook with its secret: it can no longer be found, and nothing is sent to it. Its queue and log are deleted later.
 */
export const deleteWebhook = defineSql<Identity & { nowMs: number }>(
  `update webhooks set url = '', secret_ciphertext = substr(secret_ciphertext, 1, 0), active = false,
    failing_since = null, deleted_at = :nowMs
  where id = :id and ${isTheirs}`,
);

const attemptsOf = (condition: string) => `select ${attemptColumns} from webhook_attempts
  where webhook_id = :webhookId ${condition} order by attempted_at desc, id desc limit :limit`;

export const listAttempts = defineSql<{ webhookId: string; limit: number }, AttemptRow>(attemptsOf(''));

export const listAttemptsBefore = defineSql<
  { webhookId: string; limit: number; attemptId: string },
  AttemptRow
>(
  attemptsOf(`and (attempted_at, id) < (select attempted_at, id from webhook_attempts
    where id = :attemptId and webhook_id = :webhookId)`),
);

/** All attempts of some events among the newest `limit` of a webhook, newest first. */
export const listAttemptsOfEvents = defineSql<
  { webhookId: string; limit: number; eventIds: string[] },
  AttemptRow
>(
  ({ anyOf }) => `select ${attemptColumns} from (${attemptsOf('')}) as newest
  where ${anyOf('event_id', 'eventIds')} order by attempted_at desc, id desc`,
);

/** The state of the deliveries of some events, for each webhook that got them. */
export interface EventStateRow {
  event_id: string;
  webhook_id: string;
  delivered: number;
  dropped: number;
  /** When a delivery that is pending is due; null if none is. */
  next_attempt_at: number | null;
  /** When a running attempt ends at the latest; null if none is running. */
  lease_until: number | null;
}

/** For all webhooks, because SQLite would otherwise read the whole queue of one. */
export const listEventStates = defineSql<{ eventIds: string[] }, EventStateRow>(
  ({ anyOf }) => `select event_id, webhook_id, max(lease_until) as lease_until,
    max(case when state = 'delivered' then 1 else 0 end) as delivered,
    max(case when state = 'dropped' then 1 else 0 end) as dropped,
    min(case when state = 'pending' then next_attempt_at end) as next_attempt_at
  from webhook_deliveries where ${anyOf('event_id', 'eventIds')} group by event_id, webhook_id`,
);

/** The recorded data of some events, and everything else in the body of a delivery. */
export const listEventBodies = defineSql<
  { webhookId: string; eventIds: string[] },
  { id: string; payload: string; console_url: string | null }
>(
  ({ anyOf }) => `select outbox_events.id, payload, console_url from outbox_events
  join webhooks on webhooks.id = :webhookId where ${anyOf('outbox_events.id', 'eventIds')}`,
);

/** Attempts by day since the epoch, of the newest `limit`. */
export const countAttempts = defineSql<
  { webhookId: string; sinceMs: number; limit: number },
  { day: number; total: number; failed: number }
>(
  `select attempted_at / 86400000 as day, count(*) as total, sum(case when success then 0 else 1 end) as failed
  from (select attempted_at, success from webhook_attempts
    where webhook_id = :webhookId and attempted_at >= :sinceMs
    order by attempted_at desc, id desc limit :limit) as newest
  group by attempted_at / 86400000`,
);

export function parseEvents(row: Pick<WebhookRow, 'events'>): WebhookEvent[] {
  return JSON.parse(row.events) as WebhookEvent[];
}

export function secretPlace(webhookId: string) {
  return { purpose: 'webhook secret', table: 'webhooks', recordId: webhookId };
}
