import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createIdGenerator } from '../../../packages/server/src/infra/ids.ts';

test('ids are lower-case UUIDs of version 7 that hold the time', () => {
  const newId = createIdGenerator({ nowMs: () => 0x0193_65a4_6f0e });
  expect(newId()).toMatch(/^019365a4-6f0e-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('ids ascend whatever the clock does: stand still, jump ahead, go back', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 500 }), (steps) => {
      let nowMs = 1_800_000_000_000;
      const newId = createIdGenerator({ nowMs: () => nowMs });
      const ids = steps.flatMap((step) => {
        nowMs += step;
        return [newId(), newId()];
      });
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

test('20,000 ids within one millisecond are all different and ascend', () => {
  const newId = createIdGenerator({ nowMs: () => 1_800_000_000_000 });
  const ids = Array.from({ length: 20_000 }, newId);
  expect(new Set(ids).size).toBe(20_000);
  expect([...ids].sort()).toEqual(ids);
});
