import fc from 'fast-check';
import { expect, it, onTestFinished, test, vi } from 'vitest';
import { isInRanges, parseCidr } from '../../../packages/server/src/infra/cidr.ts';
import { watchPace } from '../../../packages/server/src/infra/http/json-body.ts';
import {
  createAscendingIdGenerator,
  createNameableIdGenerator,
} from '../../../packages/server/src/infra/ids.ts';
import {
  jsonFromItems,
  jsonFromMembers,
  jsonOf,
  storedJson,
} from '../../../packages/server/src/infra/json-text.ts';
import { readTestData } from '../../support/test-data.ts';

const { ranges, noRanges } = readTestData<{ ranges: [string, string, boolean][]; noRanges: string[] }>(
  import.meta,
);

test('ascending ids are lower-case UUIDs of version 7 that hold the time', () => {
  const newId = createAscendingIdGenerator({ nowMs: () => 0x0193_65a4_6f0e });
  expect(newId()).toMatch(/^019365a4-6f0e-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ascending ids ascend whatever the clock does: stand still, jump ahead, go back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 500 }), (steps) => {
      let nowMs = 1_800_000_000_000;
      const newId = createAscendingIdGenerator({ nowMs: () => nowMs });
      const ids = steps.flatMap((step) => {
        nowMs += step;
        return [newId(), newId()];
      });
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('20,000 ascending ids within one millisecond are all different and ascend', () => {
  const newId = createAscendingIdGenerator({ nowMs: () => 1_800_000_000_000 });
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids).size).toBe(20_000);
  expect([...ids].sort()).toEqual(ids);
});

test('nameable ids are lower-case UUIDs of version 4', () => {
  const newId = createNameableIdGenerator({ nowMs: () => 1_800_000_000_000 });
  expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('nameable ids of one minute differ in their first 8 characters', () => {
  let nowMs = 1_800_000_000_000;
  const newId = createNameableIdGenerator({ nowMs: () => nowMs });
  const beginnings = Array.from({ length: 500 }, () => {
    nowMs += 100;
    return newId().slice(0, 8);
  });
  // With 31 random bits, two of 500 are equal once in 17,000 runs; three never are.
  expect(new Set(beginnings).size).toBeGreaterThanOrEqual(499);
});

test('nameable ids of one millisecond ascend and differ in their first 8 characters', () => {
  const newId = createNameableIdGenerator({ nowMs: () => 1_800_000_000_000 });
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20_000);
  expect([...ids].sort()).toEqual(ids);
});

// A body that arrives too slowly ends with 408; one that is complete, or that the server does not read, does not count as slow.

it.each([
  { what: 'brings nothing', complete: false, isPaused: false, refused: true },
  { what: 'is whole, while its store is slow', complete: true, isPaused: false, refused: false },
  { what: 'is not read', complete: false, isPaused: true, refused: false },
])('a body that $what', ({ complete, isPaused, refused }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const request = {
    socket: { bytesRead: 5000 },
    complete,
    isPaused: () => isPaused,
  } as unknown as Parameters<typeof watchPace>[0];
  const slow = vi.fn();
  onTestFinished(watchPace(request, slow));
  vi.advanceTimersByTime(60_000);
  expect(slow.mock.calls.length > 0).toBe(refused);
});

function inRange(address: string, range: string): boolean {
  const parsed = parseCidr(range);
  if (!parsed) throw new Error(`${range} is not a range`);
  return isInRanges(address, [parsed]);
}

test.each(ranges)('whether %s is in %s: %s', (address, range, expected) => {
  expect(inRange(address, range)).toBe(expected);
});

test.each(noRanges)('the text "%s" is not a range', (text) => {
  expect(parseCidr(text)).toBeUndefined();
});

// JSON put together from stored text is the JSON of the whole.

const json = fc.jsonValue({ maxDepth: 3 });

test('objects and lists of stored texts and values read as the values themselves', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ stored: json, plain: json })), fc.integer(), (entries, total) => {
      const items = entries.map(({ stored, plain }) =>
        jsonFromMembers({ stored: storedJson(JSON.stringify(stored)), plain, absent: undefined }),
      );
      const whole = jsonFromMembers({ items: jsonFromItems(items), total });
      expect(whole.text).toBe(JSON.stringify({ items: entries, total }));
    }),
    { seed: 9, numRuns: 200 },
  );
  expect(jsonFromMembers({}).text).toBe('{}');
  expect(jsonFromItems([]).text).toBe('[]');
});

test('a long stored text stays a separate part, so that it is never copied', () => {
  const long = JSON.stringify('ä'.repeat(100_000));
  const answer = jsonFromMembers({ id: 'a', dependencies: storedJson(long), envVars: storedJson('{}') });
  expect(answer.parts).toEqual(['{"id":"a","dependencies":', long, ',"envVars":{}}']);
  expect(answer.length).toBe(answer.text.length);
  expect(jsonOf(answer)).toBe(answer);
});
