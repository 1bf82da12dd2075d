// Walks a list from its first page: by cursor where the list has them, else by offset.

import { endless, type Page, type WalkOptions } from './page.ts';

/** The pages from one on that is there already. */
export async function* walkFrom<T>(options: WalkOptions<T>, first: Page<T>): AsyncGenerator<T[]> {
  if (first.next !== undefined) {
    yield* walkByCursor(options, first);
    return;
  }
  yield* walkByOffset(options, first);
}

/** A cursor names the last item of its page and not a number of items, so nothing moves under it. */
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
    // A page that leads on always has an item that did not come before.
    if (fresh.length === 0) {
      if (page.total !== undefined && page.total - from > seen.size) throw endless();
      return;
    }
    const limit = Math.min(pageSize, Math.max(1, Math.ceil(wanted) - seen.size));
    page = await fetchPage({ limit, after: page.next, offset: undefined });
  }
}

/** An offset that no list reaches. */
const behindEveryList = 1e9;
/** Pages without a new item that end a walk: more than anybody adds or deletes while it takes place. */
const mostIdlePages = 1000;

/**
 * Pages of items that did not come before, no more than make up `wanted`; `firstPage` is there already. Each page overlaps
 * the one before by one item. A page may be shorter than was asked for; one that reaches the total is the last. When a page does not begin with an item already seen, items were deleted meanwhile and the
 * rest has moved up: the walk steps back until it does. Whatever is in the list from start to end of the walk therefore
 * comes exactly once; items added after the start may or may not come. A server that repeats itself ends the walk.
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
    const left = Math.ceil(wanted) - seen.size;
    const isFirst = seen.size === 0 && idlePages === 0;
    const limit = isFirst
      ? Math.min(asked, left)
      : steppedBack
        ? pageSize
        : Math.min(pageSize, seen.size === 0 ? left : Math.max(2, left + 1));
    const { items, total } = isFirst ? firstPage : await fetchPage({ limit, offset });
    const first = items[0];
    if (offset > from && (first === undefined || !seen.has(idOf(first)))) {
      offset = Math.max(from, offset - pageSize + 1);
      steppedBack = true;
      idlePages += 1;
      if (idlePages > mostIdlePages + seen.size) throw endless();
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
    if (idlePages > mostIdlePages + seen.size) throw endless();
    const page = idsOf(items);
    repetitions = page === before ? repetitions + 1 : 0;
    before = page;
    // As many items as a page steps on may have been added in front, again and again; behind every list nothing comes.
    if (repetitions === 2 && idsOf((await fetchPage({ limit, offset: behindEveryList })).items) === page) {
      if (total !== undefined && total - from > seen.size) throw endless();
      return;
    }
    offset = Math.max(from, offset + items.length - 1);
  }
}
