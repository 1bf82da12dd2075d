// What the metrics tell of the queue of deliveries. Every look is bounded, and none follows another at once: `/metrics` is open
// to whoever asks.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { OutboxState } from '../metrics/metrics.ts';
import { createDeliveryRepository } from './delivery-repository.ts';

/** Deliveries are counted up to here. */
const mostCounted = 10_000;
/** Failing webhooks that are named. */
const mostFailing = 20;
/** How long an answer is good, in milliseconds. */
const freshMs = 5000;
/** Longest wait for the database, in milliseconds: the other metrics tell most while it is busy. */
const longestMs = 1000;

interface Count {
  total: number;
}

/** Counts the deliveries that are due, or those that wait for a later attempt. */
const countOf = (comparison: '<=' | '>') =>
  defineStatement<{ nowMs: number }, Count>((qb, p) =>
    qb
      .count({ total: '*' })
      .from(
        qb('webhook_deliveries')
          .select(qb.raw('1'))
          .whereRaw("state = 'pending'")
          .where('next_attempt_at', comparison, p.nowMs)
          .limit(mostCounted)
          .as('counted'),
      ),
  );
const countDue = countOf('<=');
const countWaiting = countOf('>');

const listFailing = defineStatement<Record<never, never>, { id: string; failing_since: number }>((qb) =>
  qb('webhooks')
    .select('id', 'failing_since')
    .whereNotNull('failing_since')
    .where('active', true)
    .orderBy('failing_since')
    .limit(mostFailing),
);

/** Creates the look; undefined while the database cannot be asked. */
export function createOutboxState(database: Executor, clock: Clock): () => Promise<OutboxState | undefined> {
  let last: { readonly atMs: number; readonly state: Promise<OutboxState | undefined> } | undefined;

  async function look(nowMs: number): Promise<OutboxState> {
    const [due, waiting, firstDueMs, failing] = await Promise.all([
      database.get(countDue, { nowMs }),
      database.get(countWaiting, { nowMs }),
      createDeliveryRepository(database).nextDueMs(),
      database.all(listFailing),
    ]);
    return {
      due: due?.total ?? 0,
      waiting: waiting?.total ?? 0,
      oldestDueSeconds: Math.max(0, nowMs - (firstDueMs ?? nowMs)) / 1000,
      failing: failing.map(({ id, failing_since }) => ({
        webhookId: id,
        seconds: Math.max(0, nowMs - failing_since) / 1000,
      })),
    };
  }

  return () => {
    const nowMs = clock.nowMs();
    if (!last || Math.abs(nowMs - last.atMs) >= freshMs) {
      const late = sleep(longestMs, undefined, { ref: false });
      last = { atMs: nowMs, state: Promise.race([look(nowMs).catch(() => undefined), late]) };
    }
    return last.state;
  };
}
