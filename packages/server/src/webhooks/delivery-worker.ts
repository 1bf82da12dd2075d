// The two transactions around an attempt, and the attempt itself: claim, deliver, record. The dispatcher decides which
// deliveries to claim, and how many.

import { createAuditLog } from '../audit/service.ts';
import type { Clock } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import type { Database } from '../infra/db/database.ts';
import type { IdGenerator } from '../infra/ids.ts';
import type { Logger } from '../infra/logger.ts';
import { type AttemptFailure, describeFailure, isRetryable } from './attempt-failure.ts';
import type { ReportAttempt } from './attempt-log.ts';
import { recordAttempt } from './attempt-log.ts';
import { bodySent } from './chat-text.ts';
import type { AttemptOutcome, Deliver } from './deliver.ts';
import * as queue from './delivery-repository.ts';
import { secretPlace } from './repository.ts';
import type { RetrySchedule } from './retry-schedule.ts';

/** Extra attempts of an event if the server ended during earlier ones. */
const maxInterruptedAttempts = 20;

interface DeliveryWorkerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly deliver: Deliver;
  readonly schedule: RetrySchedule;
  readonly report: ReportAttempt;
  readonly logger: Logger;
  /** How long a claim is held; longer than an attempt can take. */
  readonly leaseMs: number;
}

export interface Order {
  readonly webhookId: string;
  readonly limit: number;
}

export interface ClaimedDelivery extends queue.ClaimedDeliveryRow {
  readonly leaseToken: string;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Creates the worker. Its writes need not survive a power failure: the attempt is then repeated. */
export function createDeliveryWorker(deps: DeliveryWorkerDeps) {
  const { database, clock, newId, dataKeys, deliver, schedule, report, logger, leaseMs } = deps;

  async function attempt(delivery: ClaimedDelivery, signal: AbortSignal): Promise<AttemptOutcome> {
    if (delivery.scheduled_attempt > schedule.maxAttempts + maxInterruptedAttempts)
      return withoutAnswer(describeFailure('interrupted', 'the server stopped during too many attempts'));
    const { project_id, webhook_id, event_id: eventId, url, format } = delivery;
    let secret: string;
    try {
      const cipher = await dataKeys.cipherOf(database, project_id);
      secret = cipher.open(secretPlace(webhook_id), delivery.secret_ciphertext).toString('utf8');
    } catch (error) {
      logger.error({ err: error, webhookId: webhook_id }, 'a webhook secret cannot be decrypted');
      return withoutAnswer(describeFailure('internal', 'the server could not read the signing secret'));
    }
    const payload = bodySent(format, delivery);
    return deliver({ url, secret, eventId, payload, traceparent: delivery.traceparent ?? undefined }, signal);
  }

  function withoutAnswer(failure: AttemptFailure): AttemptOutcome {
    const none = { responseStatus: null, durationMs: 0, retryAfterMs: undefined };
    return { success: false, ...none, startedAtMs: clock.nowMs(), failure };
  }

  async function record(delivery: ClaimedDelivery, outcome: AttemptOutcome): Promise<void> {
    const nowMs = clock.nowMs();
    const requested = Boolean(delivery.requested);
    const { failure, retryAfterMs } = outcome;
    const delayMs =
      !requested && failure && isRetryable[failure.reason]
        ? schedule.delayAfterMs({ attempt: delivery.scheduled_attempt, retryAfterMs })
        : undefined;
    const id = newId();
    const deactivated = await database.transact(
      async (executor) => {
        const audit = createAuditLog(executor, { clock, newId, origin: { type: 'server' } });
        const finished = { id, delivery, outcome, last: delayMs === undefined, nowMs };
        const reason = await recordAttempt(executor, finished, audit);
        const fence = { id: delivery.id, leaseToken: delivery.leaseToken };
        if (requested && outcome.success) {
          const { webhook_id: webhookId, event_id: eventId } = delivery;
          await executor.run(queue.finishEvent, { webhookId, eventId, nowMs });
        } else if (delayMs === undefined) {
          const state = outcome.success ? 'delivered' : 'failed';
          await executor.run(queue.finishDelivery, { ...fence, state, nowMs });
        } else {
          await executor.run(queue.rescheduleDelivery, { ...fence, nextAttemptAtMs: nowMs + delayMs });
        }
        return reason;
      },
      { durability: 'process' },
    );
    // Null if the webhook was deleted in the meantime.
    if (deactivated !== null) report(delivery, outcome, { retryInMs: delayMs, deactivated });
  }

  return {
    /** Claims due deliveries by the orders; each belongs to this worker until it is performed or its lease runs out. */
    claim: (orders: readonly Order[], nowMs: number) => {
      const leaseToken = newId();
      return database.transact(
        async (executor) => {
          const ids: string[] = [];
          for (const { webhookId, limit } of orders) {
            const leaseUntilMs = nowMs + leaseMs;
            const claim = { webhookId, limit, nowMs, leaseUntilMs, leaseToken };
            const rows = await executor.all(queue.claimDeliveries, claim);
            for (const { id } of rows) ids.push(id);
          }
          if (ids.length === 0) return [];
          return (await executor.all(queue.findClaimed, { ids })).map((row) => ({ ...row, leaseToken }));
        },
        { durability: 'process' },
      );
    },

    /** Makes the attempt and records it. An aborted delivery is released, as if it had not been claimed. */
    perform: async (delivery: ClaimedDelivery, signal: AbortSignal) => {
      let outcome: AttemptOutcome;
      try {
        outcome = await attempt(delivery, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        await database.run(queue.releaseDelivery, { ...delivery, nowMs: clock.nowMs() });
        return;
      }
      try {
        await record(delivery, outcome);
      } catch (error) {
        // The webhook was deleted while the attempt ran; its queue and log are gone too.
        if (!database.dialect.isForeignKeyViolation(error)) throw error;
      }
    },
  };
}
