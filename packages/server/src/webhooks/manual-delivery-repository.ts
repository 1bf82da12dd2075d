// Rows of deliveries that a person asked for: the event of an earlier attempt, and how the new attempt ended.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

/** The event that an attempt carried. */
interface SentEventRow {
  delivery_id: string;
  event_id: string;
  event: string;
  payload: string;
}

/** A delivery that was made at once. */
interface FinishedDelivery {
  id: string;
  projectId: string;
  webhookId: string;
  eventId: string;
  state: string;
  nowMs: number;
}

const findSentEvent = defineStatement<{ webhookId: string; attemptId: string }, SentEventRow>((qb, p) =>
  qb('webhook_attempts')
    .join('outbox_events', 'outbox_events.id', 'webhook_attempts.event_id')
    .select('delivery_id', 'event_id', 'outbox_events.event', 'payload')
    .where('webhook_attempts.id', p.attemptId)
    .where('webhook_id', p.webhookId),
);

const countAttempt = defineStatement<{ id: string }, { attempt: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where('id', p.id)
    .update({ attempt: qb.raw('attempt + 1') })
    .returning(['attempt']),
);

const insertFinished = defineStatement<FinishedDelivery>((qb, p) =>
  qb('webhook_deliveries').insert({
    id: p.id,
    project_id: p.projectId,
    webhook_id: p.webhookId,
    event_id: p.eventId,
    state: p.state,
    attempt: 1,
    next_attempt_at: p.nowMs,
    created_at: p.nowMs,
    finished_at: p.nowMs,
  }),
);

const finishPending = defineStatement<{ id: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, state: 'pending' })
    .update({ state: 'delivered', finished_at: p.nowMs, lease_until: null, lease_token: null }),
);

/** Queries of manual deliveries. */
export function createManualDeliveryRepository(executor: Executor) {
  return {
    findSentEvent: (webhookId: string, attemptId: string) =>
      executor.get(findSentEvent, { webhookId, attemptId }),
    /** Counts one attempt more, and returns its number; undefined when the delivery is gone. */
    countAttempt: (id: string) => executor.get(countAttempt, { id }),
    insertFinished: (delivery: FinishedDelivery) => executor.run(insertFinished, delivery),
    /** Ends the retries that were still planned. */
    finishPending: (id: string, nowMs: number) => executor.run(finishPending, { id, nowMs }),
  };
}
