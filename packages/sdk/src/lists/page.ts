// The pages of a list, as the ways to walk it use them.

import { UnexpectedResponseError } from '../errors.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Total number of items, if the server reports it. */
  readonly total: number | undefined;
  /** Cursor of the next page; null on the last one, undefined in a list without cursors. */
  readonly next?: string | null | undefined;
}

/** Which page to fetch: by the number of items before it, or by the cursor of the previous page. */
export interface PagePlace {
  readonly limit: number;
  readonly offset?: number | undefined;
  readonly after?: string;
}

/** Options of a walk over a list. */
export interface WalkOptions<T> {
  readonly fetchPage: (place: PagePlace) => Promise<Page<T>>;
  /** The unique key of an item. */
  readonly idOf: (item: T) => string;
  /** Items that are fetched at once, 1 to 100. */
  readonly pageSize: number;
  /** Number of items after which the walk may end; infinity for all. */
  readonly wanted: number;
  /** Number of items before the first page, which are skipped. Default 0. */
  readonly from?: number | undefined;
}

/** The server repeats items although it says that there are more. */
export function repeatedItemsError(): UnexpectedResponseError {
  return new UnexpectedResponseError(
    'The server returns the same items again and again, although it says that there are more. Is something between here and the server caching responses and ignoring the query?',
  );
}
