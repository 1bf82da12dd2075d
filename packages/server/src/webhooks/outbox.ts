// Records events in the transaction of the change that caused them: once the change is committed, so are the deliveries
// that it owes. docs/specification.md §5.

import type { DeliveredEvent, WebhookEvent, WebhookEventData } from '@envsnap/shared';
import type { Knex } from 'knex';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import type { EventSignal } from './event-signal.ts';

/** An event to store, with the exact body that every attempt sends. */
interface NewEventRow {
  readonly id: string;
  readonly project_id: string;
  readonly event: string;
  readonly payload: string;
  /** The trace that deliveries continue; null for none. */
  readonly traceparent: string | null;
  readonly created_at: number;
}

interface NewDeliveryRow {
  readonly id: string;
  readonly project_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly state: 'pending';
  /** Attempts of the event that were made before. */
  readonly attempt: number;
  readonly redeliveries: number;
  readonly requested: boolean;
  readonly next_attempt_at: number;
  readonly created_at: number;
}

/** What the column `events` of a webhook is like that subscribed to an event. */
function listenerPattern(event: WebhookEvent): string {
  return `%"${event}"%`;
}

/** The webhooks of a project that an event goes to. */
function listenersOf(qb: Knex, projectId: Knex.Value, pattern: Knex.Value): Knex.QueryBuilder {
  return qb('webhooks')
    .where('webhooks.project_id', projectId)
    .where('webhooks.active', true)
    .where('webhooks.events', 'like', pattern);
}

/** SQL that is true when somebody listens to one of these events of the project in the column `projectId`. */
export function isListenedTo(qb: Knex, projectId: string, events: readonly WebhookEvent[]): Knex.Raw {
  const listening = events.map((event) =>
    qb.raw('exists ?', [listenersOf(qb, qb.ref(projectId), listenerPattern(event)).select(qb.raw('1'))]),
  );
  return qb.raw(`(${events.map(() => '?').join(' or ')})`, listening);
}

// The lock (PostgreSQL) lets nobody delete the webhook until its delivery is committed, and hinders no other change.
const findListeners = defineStatement<{ projectId: string; pattern: string }, { id: string }>((qb, p) =>
  listenersOf(qb, p.projectId, p.pattern).select('id').forKeyShare(),
);

const insertEvent = defineStatement<NewEventRow>((qb, p) => qb('outbox_events').insert(p));

const queueDelivery = defineStatement<NewDeliveryRow>((qb, p) => qb('webhook_deliveries').insert(p));

const findSentEvent = defineStatement<{ webhookId: string; attemptId: string }, { event_id: string }>(
  (qb, p) =>
    qb('webhook_attempts')
      .join('outbox_events', 'outbox_events.id', 'webhook_attempts.event_id')
      .select('event_id')
      .where('webhook_attempts.id', p.attemptId)
      .where('webhook_id', p.webhookId),
);

/** Counts a redelivery where the event was queued first, and gives its number; no row when that delivery is gone. */
const countRedelivery = defineStatement<{ webhookId: string; eventId: string }, { attempt: number }>(
  (qb, p) =>
    qb('webhook_deliveries')
      .where(
        'id',
        qb('webhook_deliveries')
          .select('id')
          .where({ event_id: p.eventId, webhook_id: p.webhookId })
          .orderBy('id')
          .limit(1),
      )
      .update({ attempt: qb.raw('attempt + 1'), redeliveries: qb.raw('redeliveries + 1') })
      .returning(['attempt']),
);

interface OutboxDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly signal: EventSignal;
  /** The current span, when requests are traced. */
  readonly traceparent: () => string | undefined;
}

export interface Outbox {
  /**
   * Queues the event for every active webhook of the project that subscribed to it. Call it in the transaction of the
   * change. Costs one look-up when nobody listens.
   */
  record<E extends WebhookEvent>(projectId: string, event: E, data: WebhookEventData[E]): Promise<void>;
  /** Queues `webhook.test` for one webhook, active or not; gives the id of the delivery. */
  requestTest(projectId: string, webhookId: string): string;
  /**
   * Queues the event of an earlier attempt for its webhook, active or not, with the same id and body; gives the id of the
   * delivery. Errors: `delivery_not_found`.
   */
  requestRedelivery(projectId: string, webhookId: string, attemptId: string): Promise<string>;
}

export function createOutbox(executor: Executor, { clock, newId, signal, traceparent }: OutboxDeps): Outbox {
  /** Stores an event; gives its id. */
  function storeEvent<E extends DeliveredEvent>(projectId: string, event: E, data: WebhookEventData[E]) {
    const [eventId, nowMs] = [newId(), clock.nowMs()];
    executor.write(insertEvent, {
      ...{ id: eventId, project_id: projectId, event, created_at: nowMs },
      payload: buildPayload(eventId, event, data, nowMs),
      traceparent: traceparent() ?? null,
    });
    return eventId;
  }

  function queue(
    projectId: string,
    delivery: Pick<NewDeliveryRow, 'webhook_id' | 'event_id' | 'attempt' | 'requested'>,
  ): string {
    const [id, nowMs] = [newId(), clock.nowMs()];
    executor.write(queueDelivery, {
      ...delivery,
      ...{ id, project_id: projectId, state: 'pending', redeliveries: delivery.attempt },
      ...{ next_attempt_at: nowMs, created_at: nowMs },
    });
    // Wakes the dispatcher once this transaction has committed: event-signal.ts, which compose.ts puts around `transact`.
    signal.recorded(executor);
    return id;
  }

  return {
    async record(projectId, event, data) {
      const listeners = await executor.all(findListeners, { projectId, pattern: listenerPattern(event) });
      if (listeners.length === 0) return;
      const event_id = storeEvent(projectId, event, data);
      for (const { id } of listeners)
        queue(projectId, { webhook_id: id, event_id, attempt: 0, requested: false });
    },

    requestTest(projectId, webhookId) {
      const event_id = storeEvent(projectId, 'webhook.test', { webhookId });
      return queue(projectId, { webhook_id: webhookId, event_id, attempt: 0, requested: true });
    },

    async requestRedelivery(projectId, webhookId, attemptId) {
      const sent = await executor.get(findSentEvent, { webhookId, attemptId });
      const counted = sent && (await executor.get(countRedelivery, { webhookId, eventId: sent.event_id }));
      if (!counted) throw new AppError('delivery_not_found', 'Delivery not found');
      // A claim counts its attempt.
      const attempt = counted.attempt - 1;
      return queue(projectId, { webhook_id: webhookId, event_id: sent.event_id, attempt, requested: true });
    },
  };
}

/** The body of a delivery, fixed as text so that every attempt sends and signs the same bytes. */
function buildPayload<E extends DeliveredEvent>(
  id: string,
  event: E,
  data: WebhookEventData[E],
  nowMs: number,
): string {
  return JSON.stringify({ id, event, data, timestamp: toTimestamp(nowMs) });
}
