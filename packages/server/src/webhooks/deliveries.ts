// All ways in which events reach webhooks: the background delivery, the signal that wakes it, and what a person asks for.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryAttempt } from '@envsnap/shared';
import type { Config } from '../config.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import { defineSql } from '../infra/db/statement.ts';
import type { IdGenerator } from '../infra/ids.ts';
import type { Logger } from '../infra/logger.ts';
import type { ReportAttempt } from './attempt-log.ts';
import { createDeliver, type Deliver } from './deliver.ts';
import { droppedAtOnce, dropSome } from './delivery-repository.ts';
import { inBatches } from './delivery-retention.ts';
import { createDeliveryWorker } from './delivery-worker.ts';
import { createDispatcher } from './dispatcher.ts';
import { createEventSignal } from './outbox.ts';
import { type AttemptRow, attemptColumns } from './repository.ts';
import { createResolveHost } from './resolve-host.ts';
import { createRetrySchedule } from './retry-schedule.ts';
import { toAttempt, webhookNotFound } from './service.ts';
import { createTargetGuard } from './target-guard.ts';

interface DeliveriesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly logger: Logger;
  readonly report: ReportAttempt;
  readonly settings: Config['webhooks'];
  /** True if no other process uses the database. */
  readonly exclusive: boolean;
  readonly trace: ((deliver: Deliver) => Deliver) | undefined;
}

/** How much longer than an attempt a worker holds its claim, in milliseconds: time to record the result. */
const leaseMarginMs = 15_000;
/** How long deliveries under way may take when the server stops; the rest is given back, in milliseconds. */
const graceMs = 5000;

/** How much longer than two attempts a person waits for one, in milliseconds: an earlier one may be under way. */
const waitMarginMs = 5000;

export type Deliveries = ReturnType<typeof createDeliveries>;

/** Creates them; nothing is delivered before `start`. */
export function createDeliveries({ settings, trace, ...deps }: DeliveriesDeps) {
  const { allow, timeoutMs, retrySeconds } = settings;
  const untraced = createDeliver({
    clock: deps.clock,
    timeoutMs,
    guard: createTargetGuard(allow),
    resolveHost: createResolveHost(),
  });
  const { database, clock } = deps;
  const stopping = new AbortController();
  const delivery = { ...deps, deliver: trace?.(untraced) ?? untraced };
  const dispatcher = createDispatcher({
    ...delivery,
    worker: createDeliveryWorker({
      ...delivery,
      schedule: createRetrySchedule(retrySeconds),
      leaseMs: timeoutMs + leaseMarginMs,
    }),
  });
  return {
    signal: createEventSignal(() => dispatcher.wake()),
    /** Waits for a delivery that a person asked for. Errors: as those of {@link waitForAttempt}. */
    waitFor: (webhookId: string, deliveryId: string) =>
      waitForAttempt(
        database,
        { webhookId, deliveryId },
        { maxMs: 2 * timeoutMs + waitMarginMs, stopping: stopping.signal },
      ),
    /** Drops the queued deliveries of a webhook that is switched off, in slices: none may be sent once it is on again. */
    dropQueue: (webhookId: string) =>
      inBatches(droppedAtOnce, (limit) => database.run(dropSome, { webhookId, nowMs: clock.nowMs(), limit })),
    start: () => dispatcher.start(),
    /** Begins no further delivery, and waits a little for those under way. */
    stop: async () => {
      await dispatcher.stop(graceMs);
      stopping.abort();
    },
  };
}

/** Milliseconds between two checks. Any server may deliver, and the database says when it has. */
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
 * Waits up to `maxMs` for the attempt. Errors: `webhook_not_found` if the webhook is deleted while waiting; `server_busy` if the
 * attempt has not ended by then, `shutting_down` if the server stops. The attempt is still made, and is in the log.
 */
async function waitForAttempt(
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
    const later = 'the delivery is queued; recentDeliveries of the webhook will show the result';
    const retry = { retryAfterSeconds: 1 };
    if (stopping.aborted)
      throw new AppError('shutting_down', `The server is stopping: ${later}`, undefined, retry);
    if (performance.now() > untilMs)
      throw new AppError('server_busy', `The endpoint is busy: ${later}`, undefined, retry);
    await sleep(pollMs);
  }
}
