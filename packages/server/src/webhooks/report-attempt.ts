// Reports the results of delivery attempts to the log and the metrics.

import type { Logger } from '../infra/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { DeactivationReason } from './attempt-log.ts';
import type { AttemptOutcome } from './deliver.ts';
import type { ClaimedDeliveryRow } from './delivery-repository.ts';

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
