import { UsageError } from '@envsnap/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { iteratePages } from '../../packages/sdk/src/pagination.ts';

interface Item {
  readonly id: string;
}
/** What happens to the list between two requests: items added in front, or one deleted at a position. */
type Change = { readonly add: number } | { readonly deleteAt: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ deleteAt: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
);

function changingList(size: number, changes: readonly (readonly Change[])[]) {
  let list: Item[] = Array.from({ length: size }, (_, index) => ({ id: `old-${index}` }));
  let requests = 0;
  let added = 0;
  const fetchPage = async ({ limit, offset }: { limit: number; offset: number }) => {
    for (const step of requests > 0 ? (changes[requests - 1] ?? []) : []) {
      if ('add' in step) {
        for (let index = 0; index < step.add; index += 1) list = [{ id: `new-${added++}` }, ...list];
      } else list = list.filter((_, index) => index !== Math.floor(step.deleteAt * list.length));
    }
    requests += 1;
    return list.slice(offset, offset + limit);
  };
  return { fetchPage, remaining: () => list, requests: () => requests };
}

describe('iteratePages', () => {
  it('gives every item that stays exactly once, whatever comes and goes meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 30 }),
        async (size, pageSize, changes) => {
          const list = changingList(size, changes);
          const ids = (await iteratePages(list.fetchPage, { pageSize }).toArray()).map((item) => item.id);
          expect(new Set(ids).size).toBe(ids.length);
          const stayed = list.remaining().filter((item) => item.id.startsWith('old-'));
          expect(ids.filter((id) => stayed.some((item) => item.id === id))).toEqual(
            stayed.map((item) => item.id),
          );
        },
      ),
      { numRuns: 500 },
    );
  });

  it('asks for no page before it is needed', async () => {
    const list = changingList(100, []);
    const sequence = iteratePages(list.fetchPage, { pageSize: 10 });
    expect(list.requests()).toBe(0);
    expect(await sequence.toArray({ limit: 10 })).toHaveLength(10);
    expect(list.requests()).toBe(1);
    for await (const item of sequence) {
      expect(item.id).toBe('old-0');
      break;
    }
    expect(list.requests()).toBe(2);
    expect(await sequence.toArray({ limit: 0 })).toEqual([]);
    expect(list.requests()).toBe(2);
  });

  it('gives pages, none of them empty, and an empty list as nothing', async () => {
    const sizes: number[] = [];
    for await (const page of iteratePages(changingList(25, []).fetchPage, { pageSize: 10 }).pages()) {
      sizes.push(page.length);
    }
    expect(sizes).toEqual([10, 9, 6]);
    expect(await iteratePages(changingList(0, []).fetchPage).toArray()).toEqual([]);
  });

  it.each([0, 101, 1.5, Number.NaN])('refuses pages of %d', (pageSize) => {
    expect(() => iteratePages(changingList(1, []).fetchPage, { pageSize })).toThrow(UsageError);
  });

  it('fails with the failure of a page, and can be walked again', async () => {
    let failures = 1;
    const sequence = iteratePages(async () => {
      if (failures-- > 0) throw new Error('no');
      return [{ id: 'a' }];
    });
    await expect(sequence.toArray()).rejects.toThrow('no');
    expect(await sequence.toArray()).toEqual([{ id: 'a' }]);
  });
});
