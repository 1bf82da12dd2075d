// The return type of `list`: a promise of one page that is also the sequence of all items from that page on.

import { ApiPromise, type ReadResponse } from '../call/api-promise.ts';
import type { JsonOperationName } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import { pageMax } from '../contract/limits.ts';
import type { Answers } from '../contract/types.ts';
import type { CallOptions } from '../settings.ts';
import type { Page, WalkOptions } from './page.ts';
import { type ItemSequence, iteratePages, type PageOptions } from './pagination.ts';

interface ListKind<N extends JsonOperationName, Item> {
  readonly operation: N;
  /** The member of the response that holds the items, and the field that no two of them share. */
  readonly list: { readonly member: keyof Answers[N] & string; readonly id: keyof Item & string };
  /** The list is never divided into pages. */
  readonly isWhole: boolean;
}

type ItemOf<Items> = Items extends readonly (infer Item)[] ? Item : never;

/** Declares a list by its operation, the member of its response that holds the items, and their unique field. */
export function defineList<N extends JsonOperationName, Member extends keyof Answers[N] & string>(
  operation: N,
  member: Member,
  id: keyof ItemOf<Answers[N][Member]> & string,
  isWhole = false,
): ListKind<N, ItemOf<Answers[N][Member]>> {
  return { operation, list: { member, id }, isWhole };
}

function pageOf<N extends JsonOperationName, Item>(
  { list, isWhole }: ListKind<N, Item>,
  answer: Answers[N],
): Page<Item> {
  const items = answer[list.member] as readonly Item[];
  if (isWhole) return { items, total: items.length, next: null };
  const { total, next } = answer as Partial<Pick<Page<Item>, 'total' | 'next'>>;
  return { items, total, next };
}

function idIn<N extends JsonOperationName, Item>({ list }: ListKind<N, Item>): (item: Item) => string {
  return (item) => item[list.id] as string;
}

/** Selects a part of a list. */
interface ListInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object | undefined;
}

/** A promise of one page; `for await` gives the items of that page and of all that follow. */
export class ListPromise<T, Item> extends ApiPromise<T> implements AsyncIterable<Item> {
  readonly #items: () => AsyncGenerator<Item[]>;

  constructor(page: Promise<ReadResponse<T>>, items: () => AsyncGenerator<Item[]>) {
    super(page);
    this.#items = items;
  }

  /** Fetches the pages that follow as they are asked for. */
  [Symbol.asyncIterator](): AsyncIterator<Item> {
    // The walk reports the failure.
    this.catch(() => undefined);
    return flatten(this.#items());
  }
}

async function* flatten<Item>(pages: AsyncIterable<Item[]>): AsyncGenerator<Item> {
  for await (const items of pages) yield* items;
}

/** Asks for a page; later pages are requested as the caller iterates. */
export function listOf<N extends JsonOperationName, Item>(
  transport: Transport,
  kind: ListKind<N, Item>,
  input: ListInput,
  options?: CallOptions,
): ListPromise<Answers[N], Item> {
  const { limit, offset: from } = (input.query ?? {}) as { limit?: number; offset?: number };
  const answer = transport.read(kind.operation, input as never, options, { list: kind.list }, listOf);
  const fetchPage = fetchPagesOf(transport, kind, input, options);
  async function* items() {
    const first = pageOf(kind, (await answer).data);
    const { walkFrom } = await import('./walk.ts');
    const pageSize = Math.min(pageMax, limit ?? Math.max(2, first.items.length));
    yield* walkFrom({ fetchPage, idOf: idIn(kind), pageSize, wanted: Number.POSITIVE_INFINITY, from }, first);
  }
  return new ListPromise(answer, items);
}

/** All items that match the filter, fetched page by page as needed. */
export function walkOf<N extends JsonOperationName, Item>(
  transport: Transport,
  kind: ListKind<N, Item>,
  input: ListInput,
  options?: CallOptions & PageOptions,
): ItemSequence<Item> {
  return iteratePages(fetchPagesOf(transport, kind, input, options), idIn(kind), options);
}

function fetchPagesOf<N extends JsonOperationName, Item>(
  transport: Transport,
  kind: ListKind<N, Item>,
  input: ListInput,
  options?: CallOptions,
): WalkOptions<Item>['fetchPage'] {
  return async (place) => {
    const query = { ...input.query, ...place };
    const answer = transport.call(kind.operation, { ...input, query } as never, options, { list: kind.list });
    return pageOf(kind, await answer);
  };
}
