// The metrics of the queue of deliveries.

import type { Clock } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';
import { cacheReading } from '../metrics/cached-reading.ts';
import type { OutboxState } from '../metrics/metrics.ts';

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
