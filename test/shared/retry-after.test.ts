import { parseRetryAfter } from '@envsnap/shared/retry-after';
import { describe, expect, it } from 'vitest';

describe('a Retry-After header', () => {
  const nowMs = Date.parse('2026-02-07T12:00:00.000Z');

  it.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['2026', 2_026_000],
    ['Sat, 07 Feb 2026 12:05:00 GMT', 300_000],
    ['Saturday, 07-Feb-26 12:05:00 GMT', 300_000],
    ['Sat Feb  7 12:05:00 2026', 300_000],
    ['Sat, 07 Feb 2026 11:59:59 GMT', 0],
    ['Sat, 07 Foo 2026 11:59:59 GMT', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['2026-02-07T12:05:00Z', undefined],
    ['99999999999', undefined],
    ['', undefined],
    [undefined, undefined],
    [null, undefined],
  ])('%j means %j milliseconds', (header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected);
  });
});
