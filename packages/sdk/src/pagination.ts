// Walks lists that are fetched by offset, such that no item is missed or seen twice while others come and go.

import { pageMax } from './contract/limits.ts';
import { UnexpectedResponseError, UsageError } from './errors.ts';

/** How a list is walked. */
export interface PageOptions {
  /** Items that are fetched at once, 1 to 100. Default 100. */
  readonly pageSize?: number | undefined;
}

/** Items of a list, fetched as they are asked for. Each `for await`, `pages()` or `toArray()` starts anew. */
export interface ItemSequence<T> extends AsyncIterable<T> {
  /** The items in the pages in which they came; no page is empty. */
  pages(): AsyncIterable<T[]>;
  /** The first `limit` items, all without one. */
  toArray(options?: { readonly limit?: number | undefined }): Promise<T[]>;
}

interface Page<T> {
  readonly items: readonly T[];
  /** How many there are, where the server tells. */
  readonly total: number | undefined;
}
type FetchPage<T> = (page: { limit: number; offset: number }) => Promise<Page<T>>;

/**
 * A sequence over a list in a fixed order that is fetched by offset. Each page overlaps the one before by one item. When
 * a page does not begin with an item already seen, items were deleted meanwhile and the rest has moved up: the walk steps
 * back until it does. Whatever is in the list from start to end of the walk therefore comes exactly once, whatever is
 * added or deleted meanwhile; items added after the start may or may not come. A server that repeats itself ends the walk.
 */
export function iteratePages<T extends { readonly id: string }>(
  fetchPage: FetchPage<T>,
  options: PageOptions = {},
): ItemSequence<T> {
  const pageSize = options.pageSize ?? pageMax;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > pageMax) {
    throw new UsageError(`pageSize must be a whole number from 1 to ${pageMax}`);
  }
  const pages = (wanted = Number.POSITIVE_INFINITY) => walkPages(fetchPage, Math.max(2, pageSize), wanted);
  return {
    pages: () => pages(),
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page;
    },
    async toArray({ limit = Number.POSITIVE_INFINITY } = {}) {
      const found: T[] = [];
      if (!(limit > 0)) return found;
      for await (const page of pages(limit)) {
        found.push(...page);
        if (found.length >= limit) break;
      }
      return found.length > limit ? found.slice(0, limit) : found;
    },
  };
}

/** An offset that no list reaches. */
const behindEveryList = 1e9;
/** Pages without a new item that end a walk: more than anybody adds or deletes while it takes place. */
const mostIdlePages = 1000;

function idsOf(items: readonly { readonly id: string }[]): string {
  return items.map(({ id }) => id).join();
}

/** Pages of items that did not come before, no more than make up `wanted`. */
async function* walkPages<T extends { readonly id: string }>(
  fetchPage: FetchPage<T>,
  pageSize: number,
  wanted: number,
): AsyncGenerator<T[]> {
  const seen = new Set<string>();
  let offset = 0;
  let steppedBack = false;
  let idlePages = 0;
  let before = '';
  let repetitions = 0;
  for (;;) {
    const left = Math.ceil(wanted) - seen.size;
    const needed = seen.size === 0 ? left : Math.max(2, left + 1);
    const limit = steppedBack ? pageSize : Math.min(pageSize, needed);
    const { items, total } = await fetchPage({ limit, offset });
    const first = items[0];
    if (offset > 0 && (!first || !seen.has(first.id))) {
      offset = Math.max(0, offset - pageSize + 1);
      steppedBack = true;
      idlePages += 1;
      if (idlePages > mostIdlePages + seen.size) throw endless();
      continue;
    }
    const fresh = items.filter((item) => !seen.has(item.id));
    for (const item of fresh) seen.add(item.id);
    if (fresh.length > 0) {
      idlePages = 0;
      steppedBack = false;
      yield fresh;
    } else idlePages += 1;
    if (items.length < limit) return;
    if (idlePages > mostIdlePages + seen.size) throw endless();
    const page = idsOf(items);
    repetitions = page === before ? repetitions + 1 : 0;
    before = page;
    // As many items as a page steps on may have been added in front, again and again; behind every list nothing comes.
    if (repetitions === 2 && idsOf((await fetchPage({ limit, offset: behindEveryList })).items) === page) {
      if (total !== undefined && total > seen.size) throw endless();
      return;
    }
    offset += items.length - 1;
  }
}

function endless(): UnexpectedResponseError {
  return new UnexpectedResponseError(
    'The server gives the same items again and again, although it says that there are others. Is something between here and the server caching answers without regard to their query?',
  );
}
