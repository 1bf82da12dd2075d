import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRoster } from '../../../packages/server/src/infra/roster.ts';

test('a roster holds what a set would, whatever comes and goes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -20, max: 20 })), (steps) => {
      const roster = createRoster<number>();
      const set = new Set<number>();
      const removals = new Map<number, () => void>();
      for (const [item, step] of steps.entries()) {
        // Zero and more: one comes. Less: one of those that are there goes.
        const leaving = [...removals][-step - 1];
        if (step >= 0) {
          set.add(item);
          removals.set(item, roster.add(item));
        } else if (leaving) {
          const [left, remove] = leaving;
          remove();
          removals.delete(left);
          set.delete(left);
        }
        expect([...roster].sort((a, b) => a - b)).toEqual([...set]);
        expect(roster.size).toBe(set.size);
      }
    }),
    { seed: 7 },
  );
});

test('items may leave while others are told', () => {
  const roster = createRoster<string>();
  const removals = ['a', 'b', 'c'].map((item) => roster.add(item));
  const told: string[] = [];
  for (const item of roster) {
    told.push(item);
    removals.pop()?.();
  }
  expect(told).toEqual(['a', 'b', 'c']);
  expect([...roster]).toEqual([]);
});
