// Deletes old deliveries: log lines, and events with their finished deliveries. Decisions §7: 30 days by default.

import type { Database } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

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
        .limit(p.limit),
    )
    .del(),
);

// Deliveries go with their event. What an active webhook is still owed keeps its event, however old.
const deleteEvents = defineStatement<Batch>((qb, p) =>
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
        .limit(p.limit),
    )
    .del(),
);

/** What was deleted. */
export interface DeletedDeliveries {
  readonly attempts: number;
  readonly events: number;
}

/** Deletes log lines and finished events from before a moment, in batches. */
export async function deleteOldDeliveries(database: Database, beforeMs: number): Promise<DeletedDeliveries> {
  async function deleteAll(statement: typeof deleteAttempts): Promise<number> {
    let deleted = 0;
    for (;;) {
      const batch = await database.run(statement, { beforeMs, limit: batchSize });
      deleted += batch;
      if (batch < batchSize) return deleted;
    }
  }
  return { attempts: await deleteAll(deleteAttempts), events: await deleteAll(deleteEvents) };
}
