// What an attempt leaves behind: its line in the delivery log and its webhook's state of health.

import type { AuditLog } from '../audit/service.ts';
import type { Executor } from '../infra/db/database.ts';
import { findDeactivation } from './deactivation.ts';
import type { AttemptOutcome } from './deliver.ts';
import * as queue from './delivery-repository.ts';

/** How exactly the time of the last success is kept, in milliseconds: a busy webhook's row is not written each time. */
const successTimePrecisionMs = 60_000;

interface FinishedAttempt {
  readonly id: string;
  readonly projectId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly eventId: string;
  readonly event: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** No attempt of this event follows. */
  readonly last: boolean;
  /** A person asked for it: a failure says nothing about how long the endpoint has been down. */
  readonly requested: boolean;
  readonly nowMs: number;
}

/** What came of an attempt beside its line. */
interface RecordedAttempt {
  /** Why the webhook was switched off, if it was. */
  readonly deactivated: 'gone' | 'failing' | undefined;
}

/**
 * Writes the log and the webhook's health; switches the webhook off when the rule says so. Part of a
 * transaction, before any change of the delivery's own row, so that all lock in one order. Does nothing when the
 * webhook is gone, or fails on its foreign key when it goes at this very moment. Undefined in the
 * first case.
 */
export async function recordAttempt(
  executor: Executor,
  finished: FinishedAttempt,
  audit: AuditLog,
): Promise<RecordedAttempt | undefined> {
  const { webhookId, outcome, nowMs } = finished;
  let error = outcome.failure?.text ?? null;
  let deactivated: 'gone' | 'failing' | undefined;
  if (outcome.success) {
    await executor.run(queue.noteSuccess, { webhookId, nowMs, staleMs: nowMs - successTimePrecisionMs });
  } else if (countsAgainstEndpoint(finished)) {
    const failing = await executor.get(queue.noteFailure, { webhookId, nowMs });
    if (!failing) return undefined;
    const reason = findDeactivation({
      gone: outcome.failure?.reason === 'gone',
      attempt: finished.attempt,
      last: finished.last,
      finishedAtMs: nowMs,
      failingSinceMs: failing.failing_since,
    });
    if (reason) {
      if (reason === 'failing')
        error = `${error}; nothing succeeded for 5 days, so the webhook was deactivated`;
      // Of attempts that end at the same time, one switches it off.
      if ((await executor.run(queue.deactivate, { webhookId, reason, nowMs })) > 0) {
        deactivated = reason;
        const target = { type: 'webhook', id: webhookId } as const;
        audit.record({
          projectId: finished.projectId,
          action: 'webhook.deactivated',
          target,
          details: { reason },
        });
      }
    }
  }
  await executor.run(queue.insertAttempt, {
    id: finished.id,
    project_id: finished.projectId,
    webhook_id: webhookId,
    delivery_id: finished.deliveryId,
    event_id: finished.eventId,
    event: finished.event,
    attempt: finished.attempt,
    response_status: outcome.responseStatus,
    success: outcome.success,
    error,
    duration_ms: outcome.durationMs,
    attempted_at: outcome.startedAtMs,
  });
  return { deactivated };
}

function countsAgainstEndpoint({ outcome, requested }: FinishedAttempt): boolean {
  const reason = outcome.failure?.reason;
  if (reason === 'gone') return true;
  return !requested && reason !== 'internal' && reason !== 'interrupted';
}
