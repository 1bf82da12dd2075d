// Deletes old deliveries: log lines, and events with their finished deliveries. docs/specification.md §7: 30 days by default.

import type { Database, Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { dropPartitions, idWithin, type Partition, timedTables } from '../infra/db/time-partitions.ts';

/** Rows deleted by one statement; between two, others get their turn. */
const batchSize = 500;

interface Batch {
  beforeMs: number;
  limit: number;
}

const deleteAttempts = defineStatement<Batch>((qb, p) =>
  qb('webhook_attempts')
    .whereIn(
      'id',
      qb('webhook_attempts')
        .select('id')
        .where('attempted_at', '<', p.beforeMs)
        .orderBy('attempted_at')
        .limitTo(p.limit),
    )
    .del(),
);

// What an active webhook is still owed keeps its event, however old.
const deleteEvents = defineStatement<Batch, { id: string }>((qb, p) =>
  qb('outbox_events')
    .whereIn(
      'id',
      qb('outbox_events')
        .select('id')
        .where('created_at', '<', p.beforeMs)
        .whereNotExists(
          qb('webhook_deliveries')
            .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
            .select(qb.raw('1'))
            .where('event_id', qb.ref('outbox_events.id'))
            .whereRaw("webhook_deliveries.state = 'pending'")
            .where('webhooks.active', true),
        )
        .orderBy('created_at')
        .limitTo(p.limit),
    )
    .del()
    .returning(['id']),
);

const deleteDeliveriesOf = defineStatement<{ eventIds: readonly string[] }>((qb, p, dialect) =>
  qb('webhook_deliveries').where(dialect.anyOf('event_id', p.eventIds)).del(),
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

/** Whether an active webhook is still owed a delivery that is of a day, or whose event is. */
async function isOwed(executor: Executor, column: 'id' | 'event_id', day: Partition): Promise<boolean> {
  const { builder } = executor.dialect;
  const owed = await executor.get(
    builder('webhook_deliveries')
      .join('webhooks', 'webhooks.id', 'webhook_deliveries.webhook_id')
      .select(builder.raw('1'))
      .where('webhooks.active', true)
      .whereRaw("webhook_deliveries.state = 'pending'")
      .whereRaw(idWithin(builder, `webhook_deliveries.${column}`, day))
      .limit(1),
  );
  return owed !== undefined;
}
