// Records events in the transaction of the change that caused them: once the change is committed, so are the deliveries
// that it owes. docs/specification.md §5.

import type { DeliveredEvent, WebhookEvent, WebhookEventData } from '@envsnap/shared';
import type { Knex } from 'knex';
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

/** SQL that is true when somebody listens to an event of the project in the column `projectId`. */
export function isListenedTo(qb: Knex, projectId: string, event: WebhookEvent): Knex.Raw {
  return qb.raw('exists ?', [listenersOf(qb, qb.ref(projectId), listenerPattern(event)).select(qb.raw('1'))]);
}

// The lock (PostgreSQL) lets nobody delete the webhook until its delivery is committed, and hinders no other change.
const findListeners = defineStatement<{ projectId: string; pattern: string }, { id: string }>((qb, p) =>
  listenersOf(qb, p.projectId, p.pattern).select('id').forKeyShare(),
);

/** Stores an event without queueing it. */
export const insertEvent = defineStatement<NewEventRow>((qb, p) => qb('outbox_events').insert(p));

const queueDelivery = defineStatement<NewDeliveryRow>((qb, p) => qb('webhook_deliveries').insert(p));

export interface OutboxDeps {
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
}

export function createOutbox(executor: Executor, { clock, newId, signal, traceparent }: OutboxDeps): Outbox {
  return {
    async record(projectId, event, data) {
      const listeners = await executor.all(findListeners, { projectId, pattern: listenerPattern(event) });
      if (listeners.length === 0) return;
      const [eventId, nowMs] = [newId(), clock.nowMs()];
      const payload = buildPayload(eventId, event, data, nowMs);
      const common = { project_id: projectId, created_at: nowMs };
      const trace = traceparent() ?? null;
      executor.write(insertEvent, { ...common, id: eventId, event, payload, traceparent: trace });
      for (const { id } of listeners) {
        const delivery = { webhook_id: id, event_id: eventId, next_attempt_at: nowMs } as const;
        executor.write(queueDelivery, { ...common, ...delivery, id: newId(), state: 'pending' });
      }
      // Wakes the dispatcher once this transaction has committed: event-signal.ts, which compose.ts puts around `transact`.
      signal.recorded(executor);
    },
  };
}

/** The body of a delivery, fixed as text so that every attempt sends and signs the same bytes. */
export function buildPayload<E extends DeliveredEvent>(
  id: string,
  event: E,
  data: WebhookEventData[E],
  nowMs: number,
): string {
  return JSON.stringify({ id, event, data, timestamp: toTimestamp(nowMs) });
}
