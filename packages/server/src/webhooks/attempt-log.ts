// Records an attempt: its line in the delivery log and its webhook's health.

import type { AuditLog } from '../audit/service.ts';
import type { Executor } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { AttemptOutcome } from './deliver.ts';
import type { ClaimedDeliveryRow } from './delivery-repository.ts';
import * as queue from './delivery-repository.ts';

/** Precision of the time of the last success, in milliseconds, so that a busy webhook's row is not written each time. */
const successTimePrecisionMs = 60_000;
/** How long a webhook may fail without one success, in milliseconds: 5 days. docs/specification.md §5. */
export const maxFailingMs = 5 * 24 * 60 * 60 * 1000;

/** Why a webhook is switched off: its endpoint returned 410, or has failed for too long. */
export const deactivationReasons = ['gone', 'failing'] as const;
type DeactivationReason = (typeof deactivationReasons)[number];

interface FinishedAttempt {
  readonly id: string;
  readonly delivery: queue.ClaimedDeliveryRow;
  readonly outcome: AttemptOutcome;
  /** No attempt of this event follows. */
  readonly last: boolean;
  readonly nowMs: number;
}

/**
 * Writes the log and the webhook's health; switches the webhook off if the rule says so, and returns the reason. Part of a
 * transaction, before any change of the delivery's own row, so that all lock in one order. Null if the webhook is gone; fails on
 * its foreign key if it is deleted at this moment.
 */
export async function recordAttempt(
  executor: Executor,
  { id, delivery, outcome, last, nowMs }: FinishedAttempt,
  audit: AuditLog,
): Promise<DeactivationReason | undefined | null> {
  const { project_id, webhook_id: webhookId, event_id, event, attempt } = delivery;
  const failed = outcome.failure?.reason;
  let error = outcome.failure?.text ?? null;
  let deactivated: DeactivationReason | undefined;
  if (outcome.success) {
    await executor.run(queue.noteSuccess, { webhookId, nowMs, staleMs: nowMs - successTimePrecisionMs });
  } else if (
    failed === 'gone' ||
    // A failed test or redelivery says nothing about how long the endpoint has been down.
    !(delivery.requested || failed === 'internal' || failed === 'interrupted')
  ) {
    const failing = await executor.get(queue.noteFailure, { webhookId, nowMs });
    if (!failing) return null;
    const { failing_since: failingSinceMs } = failing;
    const reason = findDeactivation({
      gone: failed === 'gone',
      attempt,
      last,
      finishedAtMs: nowMs,
      failingSinceMs,
    });
    if (reason === 'failing')
      error = `${error}; nothing succeeded for 5 days, so the webhook was switched off`;
    // If attempts end at the same time, one of them switches it off.
    if (reason && (await executor.run(queue.deactivate, { webhookId, reason, nowMs })) > 0) {
      deactivated = reason;
      const target = { type: 'webhook', id: webhookId } as const;
      audit.record(project_id, 'webhook.deactivated', target, { reason });
    }
  }
  await executor.run(queue.insertAttempt, {
    id,
    project_id,
    webhook_id: webhookId,
    delivery_id: delivery.id,
    event_id,
    event,
    attempt,
    error,
    response_status: outcome.responseStatus,
    success: outcome.success,
    duration_ms: outcome.durationMs,
    attempted_at: outcome.startedAtMs,
  });
  return deactivated;
}

interface FailedAttempt {
  readonly gone: boolean;
  /** 1 for the first attempt of the event. */
  readonly attempt: number;
  /** No attempt of this event follows. */
  readonly last: boolean;
  readonly finishedAtMs: number;
  /** The first failure since the last success, a reactivation or a change of the URL; this one included. */
  readonly failingSinceMs: number;
}

/**
 * Whether a failure switches its webhook off, and why: 410 does so at once, any other failure 5 days or more after the first
 * one without a success since. The first attempt of an event that will be retried does not: after a quiet week, one hiccup
 * must not switch it off. docs/specification.md §5.
 */
export function findDeactivation(failed: FailedAttempt): DeactivationReason | undefined {
  if (failed.gone) return 'gone';
  const counts = failed.attempt > 1 || failed.last;
  const expired = failed.finishedAtMs - failed.failingSinceMs >= maxFailingMs;
  return counts && expired ? 'failing' : undefined;
}

/** The consequences of an attempt: when the next one follows, in milliseconds, and why the webhook was switched off, if it was. */
interface Consequences {
  readonly retryInMs: number | undefined;
  readonly deactivated: DeactivationReason | undefined;
}

export type ReportAttempt = ReturnType<typeof createReportAttempt>;

export function createReportAttempt(
  logger: Logger,
  metrics: Pick<Metrics, 'observeAttempt' | 'countDeactivation'>,
) {
  return (
    delivery: ClaimedDeliveryRow,
    { failure, responseStatus: status, durationMs }: AttemptOutcome,
    { retryInMs, deactivated }: Consequences,
  ): void => {
    const { project_id: projectId, webhook_id: webhookId, id: deliveryId, event, attempt } = delivery;
    const line = { projectId, webhookId, deliveryId, event, attempt, status, durationMs };
    metrics.observeAttempt(failure?.reason ?? 'delivered', durationMs);
    if (failure) {
      const { reason, text: error } = failure;
      logger.warn({ ...line, reason, error, retryInMs }, 'webhook delivery failed');
    } else logger.debug(line, 'webhook delivered');
    if (deactivated === undefined) return;
    metrics.countDeactivation(deactivated);
    logger.warn({ projectId, webhookId, reason: deactivated }, 'webhook deactivated');
  };
}
