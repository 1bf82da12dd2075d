// Records events in the transaction of the change that caused them: once the change is committed, so are the deliveries
// that it owes. docs/specification.md §5.

import type { DeliveredEvent, WebhookEvent, WebhookEventData } from '@envsnap/shared';
import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { toTimestamp } from '../infra/timestamp.ts';
import type { EventSignal } from './event-signal.ts';

/** An event to store, with the exact body that every attempt sends. */
export interface NewEvent {
  readonly id: string;
  readonly projectId: string;
  readonly event: string;
  readonly payload: string;
  /** The trace that deliveries continue; null for none. */
  readonly traceparent: string | null;
  readonly nowMs: number;
}

/** What the column `events` of a webhook is like that subscribed to an event. */
function listenerPattern(event: WebhookEvent): string {
  return `%"${event}"%`;
}

/** SQL that is true for the webhooks that an event goes to. */
export function listensTo(event: WebhookEvent): string {
  return `webhooks.active and webhooks.events like '${listenerPattern(event)}'`;
}

// The lock (PostgreSQL) lets nobody delete the webhook until its delivery is committed, and hinders no other change.
const findListeners = defineStatement<{ projectId: string; pattern: string }, { id: string }>((qb, p) =>
  qb('webhooks')
    .select('id')
    .where({ project_id: p.projectId, active: true })
    .where('events', 'like', p.pattern)
    .forKeyShare(),
);

/** SQL that stores events; `rows` gives id, project, event, payload, trace and time of each. */
export function addEvents(rows: string): string {
  return `insert into outbox_events (id, project_id, event, payload, traceparent, created_at) ${rows}`;
}

const insertEvent = defineStatement<NewEvent>((qb, p) =>
  qb.raw(addEvents('values (?, ?, ?, ?, ?, ?)'), [
    ...[p.id, p.projectId, p.event],
    ...[p.payload, p.traceparent, p.nowMs],
  ]),
);

/** SQL that queues deliveries; `rows` gives id, project, webhook, event, state, time of the attempt and time of each. */
export function addDeliveries(rows: string): string {
  return `insert into webhook_deliveries
    (id, project_id, webhook_id, event_id, state, next_attempt_at, created_at) ${rows}`;
}

const queueDelivery = defineStatement<{
  id: string;
  projectId: string;
  webhookId: string;
  eventId: string;
  nowMs: number;
}>((qb, p) =>
  qb.raw(addDeliveries("values (?, ?, ?, ?, 'pending', ?, ?)"), [
    ...[p.id, p.projectId, p.webhookId, p.eventId],
    ...[p.nowMs, p.nowMs],
  ]),
);

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
  /** Looks up who listens, and returns what records the event then: for a caller with other questions at the same time. */
  open<E extends WebhookEvent>(projectId: string, event: E): Promise<(data: WebhookEventData[E]) => void>;
  /** An event as it would be stored now. */
  draft<E extends WebhookEvent>(projectId: string, event: E, data: WebhookEventData[E]): NewEvent;
}

/** Creates the outbox of a transaction. */
export function createOutbox(executor: Executor, { clock, newId, signal, traceparent }: OutboxDeps): Outbox {
  const draft: Outbox['draft'] = (projectId, event, data) => {
    const [id, nowMs] = [newId(), clock.nowMs()];
    const payload = buildPayload(id, event, data, nowMs);
    return { id, projectId, event, payload, traceparent: traceparent() ?? null, nowMs };
  };
  const open: Outbox['open'] = async (projectId, event) => {
    const listeners = await executor.all(findListeners, { projectId, pattern: listenerPattern(event) });
    return (data) => {
      if (listeners.length === 0) return;
      const drafted = draft(projectId, event, data);
      const { id: eventId, nowMs } = drafted;
      storeEvent(executor, drafted);
      for (const listener of listeners) {
        executor.write(queueDelivery, {
          id: newId(),
          projectId,
          webhookId: listener.id,
          eventId,
          nowMs,
        });
      }
      // Wakes the dispatcher once this transaction has committed: event-signal.ts, which compose.ts puts around `transact`.
      signal.recorded(executor);
    };
  };
  return {
    open,
    draft,
    async record(projectId, event, data) {
      const announce = await open(projectId, event);
      announce(data);
    },
  };
}

/** Stores an event without queueing it. */
export function storeEvent(executor: Executor, event: NewEvent): void {
  executor.write(insertEvent, event);
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
