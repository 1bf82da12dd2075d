// Lists as sequences of items, fetched page by page: by cursor if the list has them, otherwise by offset.

import { pageMax } from '../contract/limits.ts';
import { UsageError } from '../errors.ts';
import type { WalkOptions } from './page.ts';

/** How a list is walked. */
export interface PageOptions {
  /** Items that are fetched at once, 1 to 100. Default 100. */
  readonly pageSize?: number | undefined;
}

/** Items of a list, fetched as needed. Each `for await`, `pages()` or `toArray()` starts at the beginning. */
export interface ItemSequence<T> extends AsyncIterable<T> {
  /**
   * The items page by page; no page is empty.
   * @example
   * for await (const snapshots of client.snapshots.iterate().pages()) console.log(snapshots.length);
   */
  pages(): AsyncIterable<T[]>;
  /**
   * The first `limit` items; without a limit, all.
   * @example const newest = await client.snapshots.iterate().toArray({ limit: 10 });
   */
  toArray(options?: { readonly limit?: number | undefined }): Promise<T[]>;
}

/**
 * A sequence over a list in a fixed order. An item that is in the list during the whole walk is returned exactly once, even if
 * others are added or deleted; items added after the start may be missing. If the server repeats items, the walk ends, with an
 * `UnexpectedResponseError` if the server says that there are more. Errors: `UsageError` for a bad page size.
 */
export function iteratePages<T>(
  fetchPage: WalkOptions<T>['fetchPage'],
  idOf: (item: T) => string,
  { pageSize = pageMax }: PageOptions = {},
): ItemSequence<T> {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > pageMax) {
    throw new UsageError(`pageSize must be a whole number from 1 to ${pageMax}`);
  }
  const pages = (wanted = Number.POSITIVE_INFINITY) => walkPages({ fetchPage, idOf, pageSize, wanted });
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

async function* walkPages<T>(options: WalkOptions<T>): AsyncGenerator<T[]> {
  const { fetchPage, pageSize, wanted } = options;
  const first = await fetchPage({ limit: Math.min(pageSize, Math.ceil(wanted)), offset: 0 });
  // Loaded on use: many programs walk no list.
  const { walkFrom } = await import('./walk.ts');
  yield* walkFrom(options, first);
}
