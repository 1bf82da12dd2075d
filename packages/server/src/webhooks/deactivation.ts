// When failures switch a webhook off, and the state that this needs between attempts.

/** How long a webhook may fail without one success, in milliseconds: 5 days. Decisions §5. */
export const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;

/** Why the service switched a webhook off. */
export const deactivationReasons = {
  gone: 'The endpoint answered 410 Gone.',
  failing: 'No delivery succeeded for 5 days.',
} as const;
export type DeactivationReason = keyof typeof deactivationReasons;

/** What an attempt meant for its webhook. */
export interface AttemptVerdict {
  readonly success: boolean;
  /** The endpoint answered 410. */
  readonly gone: boolean;
  readonly attempt: number;
  /** No attempt of this event follows. */
  readonly last: boolean;
  readonly finishedAtMs: number;
}

/** What becomes of the webhook after an attempt. */
export interface WebhookHealth {
  /** First failure since the last success; null while the endpoint works. */
  readonly failingSinceMs: number | null;
  /** Set when the webhook is to be switched off. */
  readonly deactivate: DeactivationReason | undefined;
}

/**
 * The rule: 410 switches the webhook off at once. Otherwise the clock starts at the first failure, and any success or a
 * reactivation stops it; a failure 5 days or more after its start switches the webhook off. The first attempt of an
 * event that will be retried only starts the clock: after a quiet week, one hiccup must not be the end.
 */
export function judgeAttempt(failingSinceMs: number | null, verdict: AttemptVerdict): WebhookHealth {
  if (verdict.success) return { failingSinceMs: null, deactivate: undefined };
  const since = failingSinceMs ?? verdict.finishedAtMs;
  if (verdict.gone) return { failingSinceMs: since, deactivate: 'gone' };
  const counts = verdict.attempt > 1 || verdict.last;
  const expired = verdict.finishedAtMs - since >= MAX_FAILING_MS;
  return { failingSinceMs: since, deactivate: counts && expired ? 'failing' : undefined };
}
