import { describe, expect, test } from 'vitest';
import { findDeactivation, maxFailingMs } from '../../../packages/server/src/webhooks/attempt-log.ts';

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
