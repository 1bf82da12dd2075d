// What the metrics show of the queue of deliveries.

import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { cacheReading } from '../metrics/cached-reading.ts';
import type { OutboxState } from '../metrics/metrics.ts';

/** Deliveries are counted up to here. */
const mostCounted = 10_000;
/** Failing webhooks that are named. */
const mostFailing = 20;

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

/**
 * The first delivery of each endpoint that none of its deliveries keeps waiting: it does not fail, and nobody is calling it. Only
 * of those can a server be late.
 */
const findFirstDue = defineStatement<{ nowMs: number }, { first_due: number | null }>((qb, p) =>
  qb
    .min({ first_due: 'next_attempt_at' })
    .from('webhook_deliveries')
    .whereRaw("state = 'pending'")
    .where('next_attempt_at', '<=', p.nowMs)
    .whereIn(
      'webhook_id',
      qb('webhooks')
        .select('id')
        .where('active', true)
        .whereNull('failing_since')
        .whereNotExists(
          qb('webhook_deliveries as called')
            .select(qb.raw('1'))
            .where('called.webhook_id', qb.ref('webhooks.id'))
            .whereRaw("called.state = 'pending'")
            .where('called.lease_until', '>', p.nowMs),
        ),
    ),
);

const listFailing = defineStatement<Record<never, never>, { id: string; failing_since: number }>((qb) =>
  qb('webhooks')
    .select('id', 'failing_since')
    .whereNotNull('failing_since')
    .where('active', true)
    .orderBy('failing_since')
    .limit(mostFailing),
);

/** Creates the reading; undefined while the database cannot be asked. */
export function createOutboxState(database: Executor, clock: Clock): () => Promise<OutboxState | undefined> {
  async function read(nowMs: number): Promise<OutboxState> {
    const [due, waiting, first, failing] = await Promise.all([
      database.get(countDue, { nowMs }),
      database.get(countWaiting, { nowMs }),
      database.get(findFirstDue, { nowMs }),
      database.all(listFailing),
    ]);
    return {
      due: due?.total ?? 0,
      waiting: waiting?.total ?? 0,
      oldestDueSeconds: Math.max(0, nowMs - (first?.first_due ?? nowMs)) / 1000,
      failing: failing.map(({ id, failing_since }) => ({
        webhookId: id,
        seconds: Math.max(0, nowMs - failing_since) / 1000,
      })),
    };
  }

  return cacheReading(clock, read);
}
