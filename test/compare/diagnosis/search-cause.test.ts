// The search for the smallest set of differences that flips a command, on commands whose causes are known.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mixLists } from '../../../packages/compare/src/diagnosis/diagnosis.ts';
import {
  type Suspect,
  searchCause,
  type TrialResult,
} from '../../../packages/compare/src/diagnosis/search-cause.ts';

function suspects(count: number): Suspect[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    group: `g${n % 11}`,
    weight: 1 + ((n * 7) % 10),
  }));
}

/** Searches with a command that fails if any of these sets is complete. */
async function search(
  count: number,
  causes: readonly (readonly number[])[],
  unclear: readonly number[] = [],
) {
  let runs = 0;
  const fails = (ids: ReadonlySet<string>) => causes.some((cause) => cause.every((id) => ids.has(`${id}`)));
  const result = await searchCause(suspects(count), {
    run: async (differences): Promise<TrialResult> => {
      runs += 1;
      const ids = new Set([...differences].map(({ id }) => id));
      if (unclear.some((id) => ids.has(`${id}`)) && ids.size < 5) return 'unclear';
      return fails(ids) ? 'failed' : 'passed';
    },
  });
  const found = result.causes.map((cause) => cause.map(({ id }) => Number(id)).sort((x, y) => x - y));
  return { found, proven: result.proven, runs };
}

describe('the search', () => {
  it('finds each single cause among 81 differences within 9 runs, and proves it', async () => {
    for (let cause = 0; cause < 81; cause += 1) {
      const { found, proven, runs } = await search(81, [[cause]]);
      expect(found).toEqual([[cause]]);
      expect(proven).toBe(true);
      expect(runs).toBeLessThanOrEqual(11);
    }
  });

  it('finds two and three differences that only fail together', async () => {
    expect(await search(81, [[5, 70]])).toMatchObject({ found: [[5, 70]], proven: true });
    expect(await search(81, [[1, 40, 80]])).toMatchObject({ found: [[1, 40, 80]], proven: true });
  });

  it('finds causes that are independent of each other', async () => {
    const { found, proven } = await search(40, [[3], [30]]);
    expect(found.flat().sort((x, y) => x - y)).toEqual([3, 30]);
    expect(proven).toBe(true);
  });

  it('finds the only difference there is', async () => {
    expect(await search(1, [[0]])).toMatchObject({ found: [[0]], proven: true });
  });

  it('treats a run that failed in another way as one that did not fail', async () => {
    const { found } = await search(20, [[4, 5]], [4]);
    expect(found).toHaveLength(1);
    expect(found[0]).toEqual(expect.arrayContaining([4, 5]));
  });

  it('claims no proof if the failure does not recur', async () => {
    let runs = 0;
    const run = async (): Promise<TrialResult> => {
      runs += 1;
      return 'passed';
    };
    expect(await searchCause(suspects(8), { run })).toMatchObject({ proven: false });
    expect(runs).toBeLessThan(20);
  });

  it('finds some smallest set, whatever sets fail', async () => {
    const sets = fc.array(fc.uniqueArray(fc.nat({ max: 19 }), { minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(sets, async (causes) => {
        const { found } = await search(20, causes);
        const fails = (ids: readonly number[]) =>
          causes.some((cause) => cause.every((id) => ids.includes(id)));
        for (const set of found) {
          expect(fails(set)).toBe(true);
          for (const id of set) expect(fails(set.filter((other) => other !== id))).toBe(false);
        }
      }),
      { seed: 12, numRuns: 200 },
    );
  });
});

describe('a mix of two lists', () => {
  const all = (a: readonly string[], b: readonly string[]) => ({
    inserted: new Set(a),
    removed: new Set(b),
    orderOfA: true,
  });
  const none = { inserted: new Set<string>(), removed: new Set<string>(), orderOfA: false };

  it('are one side with nothing of the other, and with everything of the other', () => {
    const lists = fc.uniqueArray(fc.constantFrom(...'abcdefgh'.split('')));
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        expect(mixLists(a, b, none)).toEqual(b);
        expect(mixLists(a, b, all(a, b))).toEqual(a);
      }),
      { seed: 12 },
    );
  });

  it('puts an inserted entry at its place in its own list', () => {
    expect(
      mixLists(['x', 'a', 'y', 'b'], ['a', 'b', 'c'], { ...none, inserted: new Set(['x', 'y']) }),
    ).toEqual(['x', 'a', 'y', 'b', 'c']);
    expect(mixLists(['b', 'a'], ['a', 'b', 'c'], { ...none, orderOfA: true })).toEqual(['b', 'c', 'a']);
  });
});
