// Deliveries that a person asks for and waits for: a test, and a repetition of an earlier one. Both reach an inactive
// webhook too, so that an endpoint can be tried before it is switched on again. docs/specification.md §5.

import type { DeliveryAttempt } from '@envsnap/shared';
import { createAuditLog } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { recordAttempt } from './attempt-log.ts';
import type { AttemptOutcome, Deliver } from './deliver.ts';
import { droppedAtOnce, dropSome } from './delivery-repository.ts';
import { inBatches } from './delivery-retention.ts';
import { countAttempt, findSentEvent, finishPending, insertFinished } from './manual-delivery-repository.ts';
import { buildPayload, insertEvent } from './outbox.ts';
import type { ReportAttempt } from './report-attempt.ts';
import { findTarget, type WebhookTargetRow } from './repository.ts';
import { toAttempt, webhookNotFound } from './service.ts';
import { openSecret } from './webhook-secret.ts';

export interface ManualDeliveryDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly newId: IdGenerator;
  readonly dataKeys: DataKeys;
  readonly deliver: Deliver;
  readonly report: ReportAttempt;
}

export type ManualDelivery = ReturnType<typeof createManualDelivery>;

interface Sent {
  projectId: string;
  webhookId: string;
  deliveryId: string;
  eventId: string;
  event: string;
  attempt: number;
  outcome: AttemptOutcome;
}

/** Creates the two manual deliveries. The attempt itself runs outside any transaction. */
export function createManualDelivery(deps: ManualDeliveryDeps) {
  const { database, clock, newId, dataKeys, deliver, report } = deps;

  async function getTarget(projectId: string, id: string): Promise<WebhookTargetRow> {
    const target = await database.get(findTarget, { projectId, id });
    if (!target) throw webhookNotFound();
    return target;
  }

  async function send(projectId: string, target: WebhookTargetRow, eventId: string, payload: string) {
    const cipher = await dataKeys.cipherOf(database, projectId);
    const secret = openSecret(cipher, target.id, target.secret_ciphertext);
    return deliver({ url: target.url, secret, eventId, payload });
  }

  async function record(
    sent: Sent,
    before: (executor: Executor, nowMs: number) => Promise<void>,
    after: (executor: Executor, nowMs: number) => Promise<unknown>,
  ): Promise<DeliveryAttempt> {
    const id = newId();
    const nowMs = clock.nowMs();
    const { outcome } = sent;
    try {
      const recorded = await database.transact(async (executor) => {
        await before(executor, nowMs);
        const audit = createAuditLog(executor, { clock, newId, origin: { type: 'server' } });
        const result = await recordAttempt(executor, { ...sent, id, last: true, manual: true, nowMs }, audit);
        await after(executor, nowMs);
        return result;
      });
      if (recorded) report({ ...sent, ...recorded });
    } catch (error) {
      // Deleted while the attempt ran.
      if (database.dialect.isForeignKeyViolation(error)) throw webhookNotFound();
      throw error;
    }
    return toAttempt({
      id,
      event: sent.event,
      response_status: outcome.responseStatus,
      success: outcome.success,
      attempted_at: outcome.startedAtMs,
      attempt: sent.attempt,
      duration_ms: outcome.durationMs,
      error: outcome.failure?.text ?? null,
    });
  }

  return {
    /** Sends `webhook.test` now. Errors: `webhook_not_found`. */
    test: async (projectId: string, webhookId: string) => {
      const target = await getTarget(projectId, webhookId);
      const eventId = newId();
      const deliveryId = newId();
      const event = 'webhook.test';
      const payload = buildPayload(eventId, event, { webhookId }, clock.nowMs());
      const outcome = await send(projectId, target, eventId, payload);
      const state = outcome.success ? 'delivered' : 'failed';
      return record(
        { projectId, webhookId, deliveryId, eventId, event, attempt: 1, outcome },
        async (executor, nowMs) => {
          const stored = { id: eventId, project_id: projectId, event, payload, created_at: nowMs };
          executor.write(insertEvent, { ...stored, traceparent: null });
        },
        (executor, nowMs) =>
          executor.run(insertFinished, {
            id: deliveryId,
            project_id: projectId,
            webhook_id: webhookId,
            event_id: eventId,
            state,
            attempt: 1,
            next_attempt_at: nowMs,
            created_at: nowMs,
            finished_at: nowMs,
          }),
      );
    },

    /**
     * Sends the event of an attempt again, with the same id and body; a success also ends the retries that were still
     * planned. Errors: `webhook_not_found`, `delivery_not_found`.
     */
    redeliver: async (projectId: string, webhookId: string, attemptId: string) => {
      const target = await getTarget(projectId, webhookId);
      const sent = await database.get(findSentEvent, { webhookId, attemptId });
      const counted = sent && (await database.get(countAttempt, { id: sent.delivery_id }));
      if (!counted) throw new AppError('delivery_not_found', 'Delivery not found');
      const { delivery_id: deliveryId, event_id: eventId, event, payload } = sent;
      const outcome = await send(projectId, target, eventId, payload);
      return record(
        { projectId, webhookId, deliveryId, eventId, event, attempt: counted.attempt, outcome },
        async () => undefined,
        async (executor, nowMs) => {
          if (outcome.success) await executor.run(finishPending, { id: deliveryId, nowMs });
        },
      );
    },

    /** Drops what a webhook that is switched off has queued, in slices: nothing of it may go out once it is switched on. */
    dropQueue: (webhookId: string) =>
      inBatches(droppedAtOnce, (limit) => database.run(dropSome, { webhookId, nowMs: clock.nowMs(), limit })),
  };
}
