// Schedules the retries of a failed delivery: configured delays, jitter, and the receiver's `Retry-After`.

/** Share by which a delay varies at random, in both directions, so that many failures are not retried at once. */
const jitterShare = 0.1;
/** Longest `Retry-After` that is honoured, in milliseconds. */
export const maxRetryAfterMs = 24 * 60 * 60 * 1000;

export type RetrySchedule = ReturnType<typeof createRetrySchedule>;

/**
 * Creates the schedule from the seconds between attempts. `Retry-After` only ever makes a delay longer, to 24 hours at
 * the most. `random` gives numbers from 0 to below 1. docs/specification.md §5.
 */
export function createRetrySchedule(retrySeconds: readonly number[], random: () => number = Math.random) {
  return {
    /** Attempts of one event at the most: the first one and every retry. */
    maxAttempts: retrySeconds.length + 1,
    /** Milliseconds from a failed attempt, 1 for the first, to the next one; undefined if there is none. */
    delayAfterMs: (failed: { readonly attempt: number; readonly retryAfterMs?: number | undefined }) => {
      const seconds = retrySeconds[failed.attempt - 1];
      if (seconds === undefined) return undefined;
      const delayMs = seconds * 1000 * (1 - jitterShare + 2 * jitterShare * random());
      return Math.round(Math.max(delayMs, Math.min(failed.retryAfterMs ?? 0, maxRetryAfterMs)));
    },
  };
}
