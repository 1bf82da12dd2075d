// Walks lists that are fetched by offset, such that no item is missed or seen twice while others come and go.

import { UsageError } from './errors.ts';

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

type FetchPage<T> = (page: { limit: number; offset: number }) => Promise<readonly T[]>;

/**
 * A sequence over a list in a fixed order that is fetched by offset. Each page overlaps the one before by one item. When
 * a page does not begin with an item already seen, items were deleted meanwhile and the rest has moved up: the walk steps
 * back until it does. Whatever is in the list from start to end of the walk therefore comes exactly once, whatever is
 * added or deleted meanwhile; items added after the start may or may not come.
 */
export function iteratePages<T extends { readonly id: string }>(
  fetchPage: FetchPage<T>,
  options: PageOptions = {},
): ItemSequence<T> {
  const pageSize = options.pageSize ?? 100;
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 100) {
    throw new UsageError('pageSize must be a whole number from 1 to 100');
  }
  const pages = () => walkPages(fetchPage, Math.max(2, pageSize));
  const items = async function* () {
    for await (const page of pages()) yield* page;
  };
  return {
    pages,
    [Symbol.asyncIterator]: items,
    async toArray({ limit = Number.POSITIVE_INFINITY } = {}) {
      const found: T[] = [];
      if (limit <= 0) return found;
      for await (const item of items()) {
        found.push(item);
        if (found.length >= limit) break;
      }
      return found;
    },
  };
}

async function* walkPages<T extends { readonly id: string }>(
  fetchPage: FetchPage<T>,
  limit: number,
): AsyncGenerator<T[]> {
  const seen = new Set<string>();
  let offset = 0;
  for (;;) {
    const page = await fetchPage({ limit, offset });
    const first = page[0];
    if (offset > 0 && (!first || !seen.has(first.id))) {
      offset = Math.max(0, offset - limit + 1);
      continue;
    }
    const fresh = page.filter((item) => !seen.has(item.id));
    for (const item of fresh) seen.add(item.id);
    if (fresh.length > 0) yield fresh;
    if (page.length < limit) return;
    offset += page.length - 1;
  }
}
