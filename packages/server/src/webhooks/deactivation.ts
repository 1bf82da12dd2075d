// When failures switch a webhook off.

/** How long a webhook may fail without one success, in milliseconds: 5 days. docs/specification.md §5. */
export const maxFailingMs = 5 * 24 * 60 * 60 * 1000;

/** Why a webhook is switched off: its endpoint answered 410, or has failed for too long. */
export const deactivationReasons = ['gone', 'failing'] as const;

/** A failed attempt, as far as the rule looks at it. */
interface FailedAttempt {
  /** The endpoint answered 410. */
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
 * Whether a failure switches its webhook off, and why: 410 does at once, any other failure 5 days or more after the first
 * one without a success between. The first attempt of an event that will be retried does not: after a quiet week, one
 * hiccup must not be the end. docs/specification.md §5.
 */
export function findDeactivation(failed: FailedAttempt): (typeof deactivationReasons)[number] | undefined {
  if (failed.gone) return 'gone';
  const counts = failed.attempt > 1 || failed.last;
  const expired = failed.finishedAtMs - failed.failingSinceMs >= maxFailingMs;
  return counts && expired ? 'failing' : undefined;
}
