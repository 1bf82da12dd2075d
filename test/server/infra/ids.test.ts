import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createAscendingIdGenerator,
  createNameableIdGenerator,
} from '../../../packages/server/src/infra/ids.ts';

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
  // Of 31 random bits, two among 500 are the same once in 17,000 runs; three never are.
  expect(new Set(beginnings).size).toBeGreaterThanOrEqual(499);
});

test('nameable ids of one millisecond ascend and differ in their first 8 characters', () => {
  const newId = createNameableIdGenerator({ nowMs: () => 1_800_000_000_000 });
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(20_000);
  expect([...ids].sort()).toEqual(ids);
});
