// Waits for a delivery that a person asked for, and says how it went.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryAttempt } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql } from '../infra/db/statement.ts';
import { type AttemptRow, attemptColumns } from './repository.ts';
import { toAttempt, webhookNotFound } from './service.ts';

/** Between two looks, in milliseconds: whichever server delivers, the database says when it has. */
const pollMs = 100;

interface Requested {
  webhookId: string;
  deliveryId: string;
}

const findState = defineSql<Requested, { state: string }>(
  `select state from webhook_deliveries join webhooks on webhooks.id = webhook_id
  where webhook_deliveries.id = :deliveryId and webhook_id = :webhookId and deleted_at is null`,
);

const findAttempt = defineSql<Requested, AttemptRow>(
  `select ${attemptColumns} from webhook_attempts where webhook_id = :webhookId and delivery_id = :deliveryId
  order by attempted_at desc, id desc limit 1`,
);

/**
 * Waits up to `maxMs` for the attempt. Errors: `webhook_not_found` when it is deleted meanwhile; `server_busy` when the
 * attempt has not ended by then, `shutting_down` when the server stops: it is made all the same, and its line is in the log.
 */
export async function waitForAttempt(
  database: Executor,
  requested: Requested,
  { maxMs, stopping }: { maxMs: number; stopping: AbortSignal },
): Promise<DeliveryAttempt> {
  const untilMs = performance.now() + maxMs;
  for (;;) {
    const delivery = await database.get(findState, requested);
    if (!delivery) throw webhookNotFound();
    if (delivery.state !== 'pending') {
      const attempt = await database.get(findAttempt, requested);
      if (!attempt) throw webhookNotFound();
      return toAttempt(attempt);
    }
    const later = 'the delivery is queued; look at recentDeliveries of the webhook for how it went';
    const retry = { retryAfterSeconds: 1 };
    if (stopping.aborted)
      throw new AppError('shutting_down', `The server is stopping: ${later}`, undefined, retry);
    if (performance.now() > untilMs)
      throw new AppError('server_busy', `The endpoint is busy: ${later}`, undefined, retry);
    await sleep(pollMs);
  }
}
