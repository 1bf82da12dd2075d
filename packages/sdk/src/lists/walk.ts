// Walks a list from its first page: by cursor if the list has them, otherwise by offset.

import { type Page, repeatedItemsError, type WalkOptions } from './page.ts';

/** The pages from a first one that is already fetched. */
export async function* walkFrom<T>(options: WalkOptions<T>, first: Page<T>): AsyncGenerator<T[]> {
  if (first.next !== undefined) {
    yield* walkByCursor(options, first);
    return;
  }
  yield* walkByOffset(options, first);
}

/** A cursor names the last item of its page, not a position, so insertions and deletions do not shift it. */
async function* walkByCursor<T>(
  { fetchPage, idOf, pageSize, wanted, from = 0 }: WalkOptions<T>,
  first: Page<T>,
): AsyncGenerator<T[]> {
  const seen = new Set<string>();
  for (let page = first; ; ) {
    const fresh = page.items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    if (fresh.length > 0) yield fresh;
    if (!page.next) return;
    // A page with a cursor must have an item that did not come before.
    if (fresh.length === 0) {
      if (page.total !== undefined && page.total - from > seen.size) throw repeatedItemsError();
      return;
    }
    const limit = Math.min(pageSize, Math.max(1, Math.ceil(wanted) - seen.size));
    page = await fetchPage({ limit, after: page.next, offset: undefined });
  }
}

/** An offset beyond the end of any list. */
const behindEveryList = 1e9;
/** Pages without a new item after which a walk ends: more than anybody adds or deletes during it. */
const mostIdlePages = 1000;

/**
 * Pages of new items, at most `wanted` items in all; `firstPage` is already fetched. Each page overlaps the previous one by one
 * item. A page may be shorter than requested; one that reaches the total is the last. If a page does not begin with an item
 * already seen, items were deleted and the rest moved up: the walk steps back until it does. So an item that is in the list
 * during the whole walk is returned exactly once; items added after the start may be missing. If the server repeats items, the
 * walk ends.
 */
async function* walkByOffset<T>(
  { fetchPage, idOf, pageSize: asked, wanted, from = 0 }: WalkOptions<T>,
  firstPage: Page<T>,
): AsyncGenerator<T[]> {
  const pageSize = Math.max(2, asked);
  const idsOf = (items: readonly T[]) => items.map(idOf).join();
  const seen = new Set<string>();
  let offset = from;
  let steppedBack = false;
  let idlePages = 0;
  let before = '';
  let repetitions = 0;
  for (;;) {
    const remaining = Math.ceil(wanted) - seen.size;
    const isFirst = seen.size === 0 && idlePages === 0;
    const limit = isFirst
      ? Math.min(asked, remaining)
      : steppedBack
        ? pageSize
        : Math.min(pageSize, seen.size === 0 ? remaining : Math.max(2, remaining + 1));
    const { items, total } = isFirst ? firstPage : await fetchPage({ limit, offset });
    const first = items[0];
    if (offset > from && (first === undefined || !seen.has(idOf(first)))) {
      offset = Math.max(from, offset - pageSize + 1);
      steppedBack = true;
      idlePages += 1;
      if (idlePages > mostIdlePages + seen.size) throw repeatedItemsError();
      continue;
    }
    const fresh = items.filter((item) => !seen.has(idOf(item)));
    for (const item of fresh) seen.add(idOf(item));
    if (fresh.length > 0) {
      idlePages = 0;
      steppedBack = false;
      yield fresh;
    } else idlePages += 1;
    if (items.length < limit && offset + items.length >= (total ?? 0)) return;
    if (idlePages > mostIdlePages + seen.size) throw repeatedItemsError();
    const page = idsOf(items);
    repetitions = page === before ? repetitions + 1 : 0;
    before = page;
    // A whole page of items may be added in front again and again. Only a page past the end of the list is empty.
    if (repetitions === 2 && idsOf((await fetchPage({ limit, offset: behindEveryList })).items) === page) {
      if (total !== undefined && total - from > seen.size) throw repeatedItemsError();
      return;
    }
    offset = Math.max(from, offset + items.length - 1);
  }
}
