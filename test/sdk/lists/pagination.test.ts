import { UsageError } from '@envsnap/sdk';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PagePlace } from '../../../packages/sdk/src/lists/page.ts';
import { iteratePages } from '../../../packages/sdk/src/lists/pagination.ts';

interface Item {
  readonly id: string;
}
/** What happens to the list between two requests: items added in front, or one deleted at a position. */
type Change = { readonly add: number } | { readonly deleteAt: number };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ add: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ deleteAt: fc.double({ min: 0, max: 0.999, noNaN: true }) }),
);

/** How a list is fetched: by offset only, or by cursors too. */
type Kind = 'offset' | 'cursor';

/** Maximum number of items that a page has, whatever was requested, page by page, as if the lengths of values limited it. */
const mostItems = fc.infiniteStream(fc.integer({ min: 2, max: 9 }));

const idOf = ({ id }: Item) => id;

function changingList(
  kind: Kind,
  size: number,
  changes: readonly (readonly Change[])[],
  most?: Iterator<number>,
) {
  let place = size;
  // Cursors name the place of an item, which stays when the item is deleted.
  let list: (Item & { readonly place: number })[] = Array.from({ length: size }, (_, index) => ({
    id: `old-${index}`,
    place: size - index,
  }));
  let requests = 0;
  let added = 0;
  const requestedPlaces: PagePlace[] = [];
  const fetchPage = async (wanted: PagePlace) => {
    for (const step of requests > 0 ? (changes[requests - 1] ?? []) : []) {
      if ('add' in step) {
        for (let index = 0; index < step.add; index += 1) {
          place += 1;
          list = [{ id: `new-${added++}`, place }, ...list];
        }
      } else list = list.filter((_, index) => index !== Math.floor(step.deleteAt * list.length));
    }
    requests += 1;
    requestedPlaces.push(wanted);
    const { offset = 0, after } = wanted;
    const limit = Math.min(wanted.limit, most?.next().value ?? wanted.limit);
    const from = after === undefined ? list : list.filter((item) => item.place < Number(after));
    const items = from.slice(offset, offset + limit);
    const last = from.length > offset + limit ? items.at(-1) : undefined;
    const next = kind === 'cursor' ? { next: last ? String(last.place) : null } : {};
    return { items: items.map(({ id }) => ({ id })), total: list.length, ...next };
  };
  return { fetchPage, remaining: () => list, requests: () => requests, asked: requestedPlaces };
}

describe.each<Kind>(['offset', 'cursor'])('iteratePages by %s', (kind) => {
  it('returns every item that stays exactly once, whatever is added or deleted during the walk', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 30 }),
        async (size, pageSize, changes) => {
          const list = changingList(kind, size, changes);
          const ids = (await iteratePages(list.fetchPage, idOf, { pageSize }).toArray()).map(
            (item) => item.id,
          );
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

  it('does the same if the server returns less than it was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.array(change, { maxLength: 2 }), { maxLength: 10 }),
        mostItems,
        async (size, pageSize, changes, most) => {
          const list = changingList(kind, size, changes, most);
          const ids = (await iteratePages(list.fetchPage, idOf, { pageSize }).toArray()).map(idOf);
          expect(new Set(ids).size).toBe(ids.length);
          const stayed = list.remaining().filter(({ id }) => id.startsWith('old-'));
          expect(ids.filter((id) => stayed.some((item) => item.id === id))).toEqual(stayed.map(idOf));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('asks for no page before it is needed', async () => {
    const list = changingList(kind, 100, []);
    const sequence = iteratePages(list.fetchPage, idOf, { pageSize: 10 });
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
    for await (const page of iteratePages(changingList(kind, 25, []).fetchPage, idOf, {
      pageSize: 10,
    }).pages())
      sizes.push(page.length);
    expect(sizes).toEqual(kind === 'offset' ? [10, 9, 6] : [10, 10, 5]);
    expect(await iteratePages(changingList(kind, 0, []).fetchPage, idOf).toArray()).toEqual([]);
  });

  it.each([0, 101, 1.5, Number.NaN])('refuses pages of %d', (pageSize) => {
    expect(() => iteratePages(changingList(kind, 1, []).fetchPage, idOf, { pageSize })).toThrow(UsageError);
  });

  it('fails with the failure of a page, and can be walked again', async () => {
    let failures = 1;
    const sequence = iteratePages(async () => {
      if (failures-- > 0) throw new Error('no');
      return { items: [{ id: 'a' }], total: 1 };
    }, idOf);
    await expect(sequence.toArray()).rejects.toThrow('no');
    expect(await sequence.toArray()).toEqual([{ id: 'a' }]);
  });

  it('asks for no more than toArray() is to give', async () => {
    const list = changingList(kind, 100, []);
    expect(await iteratePages(list.fetchPage, idOf).toArray({ limit: 3 })).toHaveLength(3);
    expect(await iteratePages(list.fetchPage, idOf, { pageSize: 10 }).toArray({ limit: 12 })).toHaveLength(
      12,
    );
    expect(list.asked).toEqual([
      { limit: 3, offset: 0 },
      { limit: 10, offset: 0 },
      kind === 'offset' ? { limit: 3, offset: 9 } : { limit: 2, after: '91' },
    ]);
  });

  it('gives the first items under changes too', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(60),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 70 }),
        fc.array(fc.array(change, { maxLength: 6 }), { maxLength: 30 }),
        async (size, pageSize, limit, changes) => {
          const list = changingList(kind, size, changes);
          const ids = (await iteratePages(list.fetchPage, idOf, { pageSize }).toArray({ limit })).map(
            ({ id }) => id,
          );
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids.length).toBeLessThanOrEqual(limit);
          if (ids.length < limit) {
            const stayed = list.remaining().filter(({ id }) => id.startsWith('old-'));
            expect(stayed.filter(({ id }) => !ids.includes(id))).toEqual([]);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([undefined, 3])('ends when a server repeats itself, which gives a total of %s', async (total) => {
    const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];
    let requests = 0;
    const sequence = iteratePages(
      async () => {
        requests += 1;
        return { items, total, next: kind === 'cursor' ? 'c' : undefined };
      },
      idOf,
      { pageSize: 3 },
    );
    expect(await sequence.toArray()).toEqual(items);
    expect(requests).toBeLessThan(7);
  });

  it('says so when a server repeats itself and says that there is more', async () => {
    const items = [{ id: 'a' }, { id: 'b' }];
    const next = kind === 'cursor' ? 'b' : undefined;
    const sequence = iteratePages(async () => ({ items, total: 9, next }), idOf, { pageSize: 2 });
    await expect(sequence.toArray()).rejects.toThrow(/same items again/);
  });

  it('ends with a server that returns arbitrary pages', async () => {
    let requests = 0;
    const sequence = iteratePages(
      async ({ offset = 0 }) => ({
        items: [{ id: `at ${offset % 2}` }, { id: 'c' }],
        total: undefined,
        next: kind === 'cursor' ? String(requests++) : undefined,
      }),
      idOf,
      { pageSize: 2 },
    );
    expect(await sequence.toArray()).toEqual([{ id: 'at 0' }, { id: 'c' }]);
  });

  it('fetches single items when pages of one are asked for', async () => {
    const list = changingList(kind, 4, []);
    const ids = (await iteratePages(list.fetchPage, idOf, { pageSize: 1 }).toArray()).map(idOf);
    expect(ids).toEqual(['old-0', 'old-1', 'old-2', 'old-3']);
  });
});
