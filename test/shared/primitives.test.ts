import {
  idParams,
  label,
  pageQuery,
  parseMoment,
  projectDescription,
  projectName,
  queryMoment,
  timestamp,
  uuid,
} from '@envsnap/shared';
import { parseRetryAfter } from '@envsnap/shared/retry-after';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTestData } from '../support/test-data.ts';

const { moments } = readTestData<{ moments: [string, string][] }>(import.meta);

describe('uuid', () => {
  it('accepts any letter case and gives lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(uuid.parse(id.toUpperCase())).toBe(id);
      }),
    );
  });

  it.each([
    ...['', 'x', '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b7', ' 019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77'],
    ...['019365a46f0e7cc39a5a0f6a2e4d1b77', '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77\n'],
    ...['{019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77}'],
  ])('refuses %j', (value) => {
    expect(uuid.safeParse(value).success).toBe(false);
    expect(idParams.safeParse({ id: value }).success).toBe(false);
  });
});

describe('timestamp', () => {
  it('accepts what toISOString writes and nothing shorter', () => {
    expect(timestamp.safeParse(new Date(0).toISOString()).success).toBe(true);
    for (const value of ['1970-01-01T00:00:00Z', '1970-01-01', '1970-01-01T00:00:00.000+00:00'])
      expect(timestamp.safeParse(value).success).toBe(false);
  });
});

describe('projectName', () => {
  it('is trimmed, and counted after that', () => {
    expect(projectName.parse(`  ${'x'.repeat(200)}\n`)).toBe('x'.repeat(200));
    expect(projectName.safeParse('x'.repeat(201)).success).toBe(false);
    expect(projectName.safeParse(' \t\n').success).toBe(false);
  });

  it.each([
    ['NUL', 'a\0b'],
    ['a number', 7],
    ['null', null],
    ['a list', ['x']],
  ])('refuses %s', (_, value) => {
    expect(projectName.safeParse(value).success).toBe(false);
  });
});

describe('projectDescription and label', () => {
  it('have their limits', () => {
    expect(projectDescription.safeParse('x'.repeat(2000)).success).toBe(true);
    expect(projectDescription.safeParse('x'.repeat(2001)).success).toBe(false);
    expect(label.safeParse('x'.repeat(100)).success).toBe(true);
    expect(label.safeParse('x'.repeat(101)).success).toBe(false);
    expect(label.parse(null)).toBeNull();
    expect(label.safeParse('a\0').success).toBe(false);
  });
});

describe('pageQuery', () => {
  it('has defaults, and caps what is too large', () => {
    expect(pageQuery.parse({})).toEqual({ limit: 50, offset: 0 });
    expect(pageQuery.parse({ limit: '1000', offset: '7' })).toEqual({ limit: 100, offset: 7 });
    expect(pageQuery.parse({ limit: '9'.repeat(16) }).limit).toBe(100);
  });

  it('takes every whole number in range as what it says', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), fc.nat(1e9), (limit, offset) => {
        expect(pageQuery.parse({ limit: String(limit), offset: String(offset) })).toEqual({ limit, offset });
      }),
    );
  });

  it.each(['abc', '', ' ', '0', '-1', '1.5', '1e2', '0x10', '+5', '٣', ['1', '2']])(
    'refuses the limit %j',
    (limit) => {
      expect(pageQuery.safeParse({ limit }).success).toBe(false);
    },
  );

  it.each(['-1', 'abc', '', '1.0'])('refuses the offset %j', (offset) => {
    expect(pageQuery.safeParse({ offset }).success).toBe(false);
  });

  it('names the largest offset when one is too large', () => {
    const { error } = pageQuery.safeParse({ offset: '9007199254740991' });
    expect(error?.issues.map(({ message }) => message)).toEqual(['must be at most 999999999999999']);
  });
});

describe('parseMoment', () => {
  it.each(moments)('reads %s', (text, expected) => {
    expect(new Date(parseMoment(text) ?? Number.NaN).toISOString()).toBe(expected);
  });

  it('reads back every moment that toISOString writes', () => {
    const date = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    fc.assert(
      fc.property(date, (moment) => {
        expect(parseMoment(moment.toISOString())).toBe(moment.getTime());
      }),
    );
  });

  it.each([
    ...['', 'now', '2026', '2026-2-1', '2026-02-30', '2025-02-29', '2026-13-01', '2026-00-01'],
    ...['2026-01-00', '2026-02-01T24:00', '2026-02-01T12:60', '2026-02-01T12:00:60'],
    ...['2026-02-01T12:00:00+15:00', '2026-02-01T12', '2026-02-01Z', '1738368000'],
    ...['2026-02-01T12:00:00Z ', 'Sat, 07 Feb 2026 13:00:10 GMT'],
  ])('refuses %j', (text) => {
    expect(parseMoment(text)).toBeUndefined();
    expect(queryMoment.safeParse(text).success).toBe(false);
  });
});

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
