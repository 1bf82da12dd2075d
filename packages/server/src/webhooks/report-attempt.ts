// Reports to the log and the metrics how attempts to deliver end.

import type { Logger } from '../infra/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { AttemptOutcome } from './deliver.ts';

interface ReportedAttempt {
  readonly projectId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly event: string;
  readonly attempt: number;
  readonly outcome: AttemptOutcome;
  /** When the next attempt follows, in milliseconds; undefined for none. */
  readonly retryInMs?: number | undefined;
  /** Why the webhook was switched off, if it was. */
  readonly deactivated: string | undefined;
}

export type ReportAttempt = (attempt: ReportedAttempt) => void;

export function createReportAttempt(
  logger: Logger,
  metrics: Pick<Metrics, 'observeAttempt' | 'countDeactivation'>,
): ReportAttempt {
  return ({ outcome, deactivated, retryInMs, ...attempt }) => {
    const { failure, responseStatus: status, durationMs } = outcome;
    metrics.observeAttempt(failure?.reason ?? 'delivered', durationMs);
    if (failure) {
      const next = retryInMs === undefined ? undefined : Math.round(retryInMs);
      logger.warn(
        { ...attempt, status, durationMs, reason: failure.reason, error: failure.text, retryInMs: next },
        'webhook delivery failed',
      );
    } else logger.debug({ ...attempt, status, durationMs }, 'webhook delivered');
    if (deactivated === undefined) return;
    metrics.countDeactivation(deactivated);
    const { projectId, webhookId } = attempt;
    logger.warn({ projectId, webhookId, reason: deactivated }, 'webhook deactivated');
  };
}
