// When a failed delivery is tried again: the configured delays, their jitter, and the wait that the receiver asks for.

/** Share by which a delay is moved at random, both ways, so that many failures do not come back at once. */
const jitterShare = 0.1;
/** Longest `Retry-After` that is honoured, in milliseconds. */
export const maxRetryAfterMs = 24 * 60 * 60 * 1000;

/** What is known when an attempt has failed. */
interface FailedAttempt {
  /** 1 for the first attempt of the event. */
  readonly attempt: number;
  /** What the receiver asked for, in milliseconds from now. */
  readonly retryAfterMs?: number | undefined;
}

export interface RetrySchedule {
  /** Attempts of one event at the most: the first one and every retry. */
  readonly maxAttempts: number;
  /** Milliseconds until the next attempt; undefined when there is none. */
  delayAfterMs(failed: FailedAttempt): number | undefined;
}

/**
 * Creates the schedule from the seconds between attempts. `Retry-After` only ever makes a delay longer, to 24 hours at
 * the most. `random` gives numbers from 0 to below 1. docs/specification.md §5.
 */
export function createRetrySchedule(
  retrySeconds: readonly number[],
  random: () => number = Math.random,
): RetrySchedule {
  return {
    maxAttempts: retrySeconds.length + 1,
    delayAfterMs: ({ attempt, retryAfterMs = 0 }) => {
      const seconds = retrySeconds[attempt - 1];
      if (seconds === undefined) return undefined;
      const delayMs = seconds * 1000 * (1 - jitterShare + 2 * jitterShare * random());
      return Math.round(Math.max(delayMs, Math.min(retryAfterMs, maxRetryAfterMs)));
    },
  };
}
