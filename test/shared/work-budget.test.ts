import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../packages/shared/src/text/glob.ts';
import { nearestName } from '../../packages/shared/src/text/nearest-name.ts';
import { createWorkBudget, TooMuchWorkError } from '../../packages/shared/src/work-budget.ts';

/** Counts the steps that are spent. */
function stepsOf(work: (spend: (steps: number) => void) => void): number {
  let steps = 0;
  work((taken) => {
    steps += taken;
  });
  return steps;
}

it('a budget covers all its work, and its error names the last work', () => {
  const budget = createWorkBudget(10);
  budget('reading names')(6);
  budget('reading names')(4);
  const match = budget('matching 3 patterns');
  expect(() => match(1)).toThrow(TooMuchWorkError);
  expect(() => match(1)).toThrow('matching 3 patterns would take too much time or memory');
});

describe('a pattern with braces', () => {
  it('matches names with one lookup, however many it expands to', () => {
    const pattern = '{a,b}'.repeat(9);
    const stepsOfMatching = stepsOf((spend) => {
      const matches = compileGlob(pattern, { syntax: 'paths', spend });
      spend(-(2 ** 9 * pattern.length));
      expect(matches('ababababa')).toBe(true);
      expect(matches('ababababc')).toBe(false);
    });
    expect(stepsOfMatching).toBe(0);
  });

  it('takes steps for each choice that has a wildcard', () => {
    const steps = (braces: number) =>
      stepsOf((spend) => {
        compileGlob(`*${'{a,b}'.repeat(braces)}`, { syntax: 'paths', spend })('x'.repeat(20));
      });
    expect(steps(9)).toBeGreaterThan(4 * steps(6));
  });
});

describe('the nearest name', () => {
  it('is found by the same rules as before', () => {
    expect(nearestName('ndoe', ['python', 'node', 'npm'])).toBe('node');
    expect(nearestName('postgers', ['postgres'])).toBe('postgres');
    expect(nearestName('abcdef', ['uvwxyz'])).toBeUndefined();
  });

  it('takes few steps for names that are unlike it from the beginning, and none for a very long text', () => {
    const names = Array.from({ length: 100 }, (_, place) => `${'y'.repeat(99)}${place}`);
    const unlike = stepsOf((spend) => nearestName('x'.repeat(100), names, spend));
    expect(unlike).toBeLessThan(100 * 100 * 400);
    expect(stepsOf((spend) => nearestName('x'.repeat(1000), names, spend))).toBe(0);
  });

  it('stops at the end of its budget', () => {
    const spend = createWorkBudget(100_000)('looking for names');
    const names = Array.from({ length: 100 }, (_, place) => `${'x'.repeat(60)}${place}`);
    expect(() => nearestName('x'.repeat(70), names, spend)).toThrow(TooMuchWorkError);
  });
});
