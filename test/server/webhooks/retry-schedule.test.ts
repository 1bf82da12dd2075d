import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../../packages/server/src/config.ts';
import { findDeactivation, maxFailingMs } from '../../../packages/server/src/webhooks/attempt-log.ts';
import {
  createRetrySchedule,
  maxRetryAfterMs,
} from '../../../packages/server/src/webhooks/retry-schedule.ts';

const defaultRetrySeconds = loadConfig({}).webhooks.retrySeconds;
const middle = () => 0.5;

describe('the retry schedule', () => {
  test('waits 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, then gives up', () => {
    const schedule = createRetrySchedule(defaultRetrySeconds, middle);
    const delays = [1, 2, 3, 4, 5, 6, 7, 8].map((attempt) => schedule.delayAfterMs({ attempt }));
    const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
    expect(delays).toEqual([...seconds.map((each) => each * 1000), undefined]);
    expect(schedule.maxAttempts).toBe(8);
  });

  test('moves every delay by at most a tenth, both ways', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: defaultRetrySeconds.length }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (attempt, random) => {
          const delay = createRetrySchedule(defaultRetrySeconds, () => random).delayAfterMs({ attempt }) ?? 0;
          const step = (defaultRetrySeconds[attempt - 1] ?? 0) * 1000;
          expect(delay).toBeGreaterThanOrEqual(step * 0.9);
          expect(delay).toBeLessThanOrEqual(step * 1.1);
        },
      ),
    );
  });

  test('Retry-After makes a delay longer, never shorter, and counts for 24 hours at most', () => {
    const schedule = createRetrySchedule([5, 300], middle);
    expect(schedule.delayAfterMs({ attempt: 1, retryAfterMs: 60_000 })).toBe(60_000);
    expect(schedule.delayAfterMs({ attempt: 1, retryAfterMs: 1000 })).toBe(5000);
    expect(schedule.delayAfterMs({ attempt: 1, retryAfterMs: 1e12 })).toBe(maxRetryAfterMs);
  });

  test('Retry-After does not add attempts to the schedule', () => {
    expect(createRetrySchedule([5]).delayAfterMs({ attempt: 2, retryAfterMs: 1000 })).toBeUndefined();
    expect(createRetrySchedule([]).delayAfterMs({ attempt: 1 })).toBeUndefined();
  });
});

const failingSinceMs = 1_800_000_000_000;

function failAfter(ms: number, more: { attempt?: number; last?: boolean; gone?: boolean } = {}) {
  const finishedAtMs = failingSinceMs + ms;
  return findDeactivation({ gone: false, attempt: 2, last: false, finishedAtMs, failingSinceMs, ...more });
}

describe('a webhook whose attempts fail', () => {
  test('is switched off by a failure 5 days after the first one, and not a millisecond earlier', () => {
    expect(failAfter(0)).toBeUndefined();
    expect(failAfter(maxFailingMs - 1)).toBeUndefined();
    expect(failAfter(maxFailingMs)).toBe('failing');
  });

  test('is not switched off by the first attempt of an event that will be retried', () => {
    expect(failAfter(2 * maxFailingMs, { attempt: 1 })).toBeUndefined();
    expect(failAfter(2 * maxFailingMs, { attempt: 1, last: true })).toBe('failing');
  });

  test('is switched off by 410 at once', () => {
    expect(failAfter(0, { gone: true, attempt: 1 })).toBe('gone');
  });
});
