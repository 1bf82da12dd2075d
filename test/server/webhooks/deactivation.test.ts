import { describe, expect, test } from 'vitest';
import { judgeAttempt, MAX_FAILING_MS } from '../../../packages/server/src/webhooks/deactivation.ts';

const startMs = 1_800_000_000_000;

function failed(finishedAtMs: number, more: { attempt?: number; last?: boolean; gone?: boolean } = {}) {
  return { success: false, gone: false, attempt: 2, last: false, finishedAtMs, ...more };
}

describe('a webhook whose attempts fail', () => {
  test('starts its clock at the first failure and keeps it at the next ones', () => {
    expect(judgeAttempt(null, failed(startMs))).toEqual({ failingSinceMs: startMs, deactivate: undefined });
    expect(judgeAttempt(startMs, failed(startMs + 1000)).failingSinceMs).toBe(startMs);
  });

  test('is switched off by a failure 5 days after the clock began, and not a millisecond earlier', () => {
    expect(judgeAttempt(startMs, failed(startMs + MAX_FAILING_MS - 1)).deactivate).toBeUndefined();
    expect(judgeAttempt(startMs, failed(startMs + MAX_FAILING_MS)).deactivate).toBe('failing');
  });

  test('is not switched off by the first attempt of an event that will be retried', () => {
    const late = startMs + 2 * MAX_FAILING_MS;
    expect(judgeAttempt(startMs, failed(late, { attempt: 1 })).deactivate).toBeUndefined();
    expect(judgeAttempt(startMs, failed(late, { attempt: 1, last: true })).deactivate).toBe('failing');
  });

  test('is switched off by 410 at once', () => {
    expect(judgeAttempt(null, failed(startMs, { gone: true, attempt: 1 })).deactivate).toBe('gone');
  });

  test('has its clock stopped by one success, however late', () => {
    const success = {
      success: true,
      gone: false,
      attempt: 3,
      last: true,
      finishedAtMs: startMs + 10 * MAX_FAILING_MS,
    };
    expect(judgeAttempt(startMs, success)).toEqual({ failingSinceMs: null, deactivate: undefined });
  });
});
