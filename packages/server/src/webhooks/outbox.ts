// Records events in the transaction of the change that caused them, so that the change and its deliveries are committed
// together. docs/specification.md §5.

import type { DeliveredEvent, WebhookEvent, WebhookEventData } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor, Transact } from '../infra/db/database.ts';
import { defineInsert, defineSql, type NoParams } from '../infra/db/statement.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { cacheReading } from '../metrics/cached-reading.ts';
import type { OutboxState } from '../metrics/metrics.ts';

interface NewEventRow {
  readonly id: string;
  readonly project_id: string;
  readonly event: string;
  /** The exact body that every attempt sends. */
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
  /** Number of earlier attempts of the event. */
  readonly attempt: number;
  readonly redeliveries: number;
  readonly requested: boolean;
  readonly next_attempt_at: number;
  readonly created_at: number;
}

/** A pattern for the column `events` of a webhook that subscribes to an event. */
const listenerPattern = (event: WebhookEvent) => `%"${event}"%`;

/** SQL that is true if a webhook subscribes to one of these events of the project in the column `projectId`. */
export function isListenedTo(projectId: string, events: readonly WebhookEvent[]): string {
  const patterns = events.map((event) => `events like '${listenerPattern(event)}'`).join(' or ');
  return `exists (select 1 from webhooks where webhooks.project_id = ${projectId} and active = true and (${patterns}))`;
}

// The lock (PostgreSQL) prevents the deletion of the webhook until its delivery is committed, and no other change.
const findListeners = defineSql<{ projectId: string; pattern: string }, { id: string }>(
  ({ lock }) => `select id from webhooks
  where project_id = :projectId and active = true and events like :pattern ${lock('webhooks', 'deletion')}`,
);

const insertEvent = defineInsert<NewEventRow>('outbox_events');

const queueDelivery = defineInsert<NewDeliveryRow>('webhook_deliveries');

const findSentEvent = defineSql<{ webhookId: string; attemptId: string }, { event_id: string }>(
  `select event_id from webhook_attempts join outbox_events on outbox_events.id = event_id
  where webhook_attempts.id = :attemptId and webhook_id = :webhookId`,
);

/** Counts a redelivery on the event's first delivery, and returns its number; no row if that delivery is gone. */
const countRedelivery = defineSql<{ webhookId: string; eventId: string }, { attempt: number }>(
  `update webhook_deliveries set attempt = attempt + 1, redeliveries = redeliveries + 1
  where id = (
    select id from webhook_deliveries where event_id = :eventId and webhook_id = :webhookId order by id limit 1)
  returning attempt`,
);

/** Wakes the dispatcher after transactions that recorded an event have committed. */
export interface EventSignal {
  recorded(executor: Executor): void;
  /** The same `transact`, which also wakes the dispatcher after each commit that recorded an event. */
  watch(transact: Transact): Transact;
}

/** Creates the signal. `wake` is called after the commit, never within the transaction, and not after a rollback. */
export function createEventSignal(wake: () => void): EventSignal {
  const marked = new WeakSet<Executor>();
  return {
    recorded: (executor) => void marked.add(executor),
    watch: (transact) => async (work, options) => {
      let last: Executor | undefined;
      const result = await transact((executor) => {
        last = executor;
        return work(executor);
      }, options);
      if (last && marked.has(last)) wake();
      return result;
    },
  };
}

interface OutboxDeps {
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly signal: EventSignal;
  readonly traceparent: () => string | undefined;
}

export interface Outbox {
  /**
   * Queues the event for every active webhook of the project that subscribes to it. Call it in the transaction of the change. If
   * no webhook subscribes, it costs one lookup.
   */
  record<E extends WebhookEvent>(projectId: string, event: E, data: WebhookEventData[E]): Promise<void>;
  /**
   * Queues for one webhook, active or not, the event of an earlier attempt with the same id and body, or `webhook.test`; returns
   * the id of the delivery. Errors: `delivery_not_found`.
   */
  request(projectId: string, webhookId: string, attemptId?: string): Promise<string>;
}

export function createOutbox(executor: Executor, { clock, newId, signal, traceparent }: OutboxDeps): Outbox {
  /** Stores an event; returns its id. Its body is fixed as text: every attempt sends and signs the same bytes. */
  function storeEvent<E extends DeliveredEvent>(projectId: string, event: E, data: WebhookEventData[E]) {
    const [id, nowMs] = [newId(), clock.nowMs()];
    executor.write(insertEvent, {
      id,
      project_id: projectId,
      event,
      created_at: nowMs,
      payload: JSON.stringify({ id, event, data, timestamp: toTimestamp(nowMs) }),
      traceparent: traceparent() ?? null,
    });
    return id;
  }

  function queue(
    projectId: string,
    delivery: Pick<NewDeliveryRow, 'webhook_id' | 'event_id' | 'attempt' | 'requested'>,
  ): string {
    const [id, nowMs] = [newId(), clock.nowMs()];
    executor.write(queueDelivery, {
      ...delivery,
      id,
      project_id: projectId,
      state: 'pending',
      redeliveries: delivery.attempt,
      next_attempt_at: nowMs,
      created_at: nowMs,
    });
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

    async request(projectId, webhookId, attemptId) {
      const requested = { webhook_id: webhookId, requested: true };
      if (attemptId === undefined) {
        const event_id = storeEvent(projectId, 'webhook.test', { webhookId });
        return queue(projectId, { ...requested, event_id, attempt: 0 });
      }
      const sent = await executor.get(findSentEvent, { webhookId, attemptId });
      const counted = sent && (await executor.get(countRedelivery, { webhookId, eventId: sent.event_id }));
      if (!counted) throw new AppError('delivery_not_found', 'Delivery not found');
      // A claim counts its attempt.
      return queue(projectId, { ...requested, event_id: sent.event_id, attempt: counted.attempt - 1 });
    },
  };
}

const mostCounted = 10_000;
const mostFailing = 20;

const countOf = (comparison: '<=' | '>') =>
  defineSql<{ nowMs: number }, { total: number }>(
    `select count(*) as total from (
      select 1 from webhook_deliveries where state = 'pending' and next_attempt_at ${comparison} :nowMs
      limit ${mostCounted}) as counted`,
  );
const countDue = countOf('<=');
const countWaiting = countOf('>');

/**
 * The first delivery of each endpoint that is neither failing nor being called. Only with those can a server be late.
 */
const findFirstDue = defineSql<{ nowMs: number }, { first_due: number | null }>(
  `select min(next_attempt_at) as first_due from webhook_deliveries
  where state = 'pending' and next_attempt_at <= :nowMs and webhook_id in (
    select id from webhooks where active = true and failing_since is null and not exists (
      select 1 from webhook_deliveries as called
      where called.webhook_id = webhooks.id and called.state = 'pending' and called.lease_until > :nowMs))`,
);

const listFailing = defineSql<NoParams, { id: string; failing_since: number }>(
  `select id, failing_since from webhooks where failing_since is not null and active = true
  order by failing_since limit ${mostFailing}`,
);

export function createOutboxState(database: Executor, clock: Clock): () => Promise<OutboxState | undefined> {
  return cacheReading(clock, async (nowMs) => {
    const [due, waiting, first, failing] = await Promise.all([
      database.get(countDue, { nowMs }),
      database.get(countWaiting, { nowMs }),
      database.get(findFirstDue, { nowMs }),
      database.all(listFailing),
    ]);
    const secondsSince = (ms: number) => Math.max(0, nowMs - ms) / 1000;
    return {
      due: due?.total ?? 0,
      waiting: waiting?.total ?? 0,
      oldestDueSeconds: secondsSince(first?.first_due ?? nowMs),
      failing: failing.map((row) => ({ webhookId: row.id, seconds: secondsSince(row.failing_since) })),
    };
  });
}
