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

const { moments, noIds, noMoments, retryAfter } = readTestData<{
  moments: [string, string][];
  noIds: string[];
  noMoments: string[];
  retryAfter: [header: string, milliseconds: number | null][];
}>(import.meta);

describe('uuid', () => {
  it('accepts any letter case and gives lower case', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(uuid.parse(id.toUpperCase())).toBe(id);
      }),
    );
  });

  it.each(noIds)('refuses %j', (value) => {
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

  it.each(noMoments)('refuses %j', (text) => {
    expect(parseMoment(text)).toBeUndefined();
    expect(queryMoment.safeParse(text).success).toBe(false);
  });
});

describe('a Retry-After header', () => {
  const nowMs = Date.parse('2026-02-07T12:00:00.000Z');

  it('has no effect if it is absent', () => {
    for (const header of [undefined, null]) expect(parseRetryAfter(header, nowMs)).toBeUndefined();
  });

  it.each(retryAfter)('%j means %j milliseconds', (header, expected) => {
    expect(parseRetryAfter(header, nowMs)).toBe(expected ?? undefined);
  });
});
