// Rows of deliveries that a person asked for: the event of an earlier attempt, and how the new attempt ended.

import { defineStatement } from '../infra/db/statement.ts';

/** The event that an attempt carried. */
interface SentEventRow {
  delivery_id: string;
  event_id: string;
  event: string;
  payload: string;
}

/** A delivery that was made at once. */
interface FinishedDeliveryRow {
  id: string;
  project_id: string;
  webhook_id: string;
  event_id: string;
  state: string;
  attempt: number;
  next_attempt_at: number;
  created_at: number;
  finished_at: number;
}

export const findSentEvent = defineStatement<{ webhookId: string; attemptId: string }, SentEventRow>(
  (qb, p) =>
    qb('webhook_attempts')
      .join('outbox_events', 'outbox_events.id', 'webhook_attempts.event_id')
      .select('delivery_id', 'event_id', 'outbox_events.event', 'payload')
      .where('webhook_attempts.id', p.attemptId)
      .where('webhook_id', p.webhookId),
);

/** Counts one attempt more, outside the schedule, and gives its number; no row when the delivery is gone. */
export const countAttempt = defineStatement<{ id: string }, { attempt: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where('id', p.id)
    .update({ attempt: qb.raw('attempt + 1'), redeliveries: qb.raw('redeliveries + 1') })
    .returning(['attempt']),
);

export const insertFinished = defineStatement<FinishedDeliveryRow>((qb, p) =>
  qb('webhook_deliveries').insert(p),
);

/** Ends the retries that were still planned. */
export const finishPending = defineStatement<{ id: string; nowMs: number }>((qb, p) =>
  qb('webhook_deliveries')
    .where({ id: p.id, state: 'pending' })
    .update({ state: 'delivered', finished_at: p.nowMs, lease_until: null, lease_token: null }),
);
