// Deletes old deliveries: log lines, and events with their finished deliveries. docs/specification.md §7: 30 days by default.

import type { Database, Executor } from '../infra/db/database.ts';
import { defineSql } from '../infra/db/statement.ts';
import { dropPartitions, idWithin, type Partition, timedTables } from '../infra/db/time-partitions.ts';

/** Rows deleted by one statement; other requests run between two statements. */
const batchSize = 500;

interface Batch {
  beforeMs: number;
  limit: number;
}

const deleteAttempts = defineSql<Batch>(
  `delete from webhook_attempts where id in (
    select id from webhook_attempts where attempted_at < :beforeMs order by attempted_at limit :limit)`,
);

const owed = `select 1 from webhook_deliveries join webhooks on webhooks.id = webhook_id
  where webhook_deliveries.state = 'pending' and active = true`;

// An event with a pending delivery to an active webhook is kept, however old.
const deleteEvents = defineSql<Batch, { id: string }>(
  `delete from outbox_events where id in (
    select id from outbox_events where created_at < :beforeMs
      and not exists (${owed} and event_id = outbox_events.id)
    order by created_at limit :limit)
  returning id`,
);

const deleteDeliveriesOf = defineSql<{ eventIds: readonly string[] }>(
  ({ anyOf }) => `delete from webhook_deliveries where ${anyOf('event_id', 'eventIds')}`,
);

/**
 * Deletes log lines and finished events with their deliveries from before a moment: whole days where there are
 * partitions, the rest in batches.
 */
export async function deleteOldDeliveries(database: Database, beforeMs: number) {
  const { attempts, deliveries, events } = timedTables;
  const dropped = {
    attempts: await dropPartitions(database, attempts, beforeMs),
    events: await dropPartitions(database, events, beforeMs, (executor, day) =>
      isOwed(executor, 'event_id', day),
    ),
  };
  await dropPartitions(database, deliveries, beforeMs, (executor, day) => isOwed(executor, 'id', day));
  return {
    attempts:
      dropped.attempts +
      (await inBatches(batchSize, (limit) => database.run(deleteAttempts, { beforeMs, limit }))),
    events:
      dropped.events +
      (await inBatches(batchSize, (limit) => deleteEventsAndDeliveries(database, { beforeMs, limit }))),
  };
}

/** Deletes rows, at most `limit` at a time, until there are no more; returns how many there were. */
export async function inBatches(
  limit: number,
  deleteBatch: (limit: number) => Promise<number>,
): Promise<number> {
  for (let deleted = 0; ; ) {
    const batch = await deleteBatch(limit);
    deleted += batch;
    if (batch < limit) return deleted;
  }
}

function deleteEventsAndDeliveries(database: Database, batch: Batch): Promise<number> {
  return database.transact(async (executor) => {
    const events = await executor.all(deleteEvents, batch);
    if (events.length > 0) await executor.run(deleteDeliveriesOf, { eventIds: events.map(({ id }) => id) });
    return events.length;
  });
}

/** Whether a delivery of a day, or of an event of that day, is still pending to an active webhook. */
async function isOwed(executor: Executor, column: 'id' | 'event_id', day: Partition): Promise<boolean> {
  const { builder } = executor.dialect;
  const range = idWithin(builder, `webhook_deliveries.${column}`, day);
  return (await executor.get(builder.raw(`${owed} and ${range} limit 1`))) !== undefined;
}
