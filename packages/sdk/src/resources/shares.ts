// client.shares: pages about snapshots and comparisons that open without a key. docs/specification.md §17.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type {
  CreateConsoleLinkAnswer,
  CreateConsoleLinkBody,
  CreateShareAnswer,
  ListSharesAnswer,
  PartQuery,
  Share,
  ShareBody,
  Success,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

const shares = defineList('listShares', 'shares', 'id');

export class Shares {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Makes a page about a snapshot or a comparison that opens without a key. The answer holds its address, this once.
   *
   * @example
   * const { url } = await client.shares.create({ kind: 'comparison', a: works, b: fails, expiresIn: 86_400 });
   */
  create(share: ShareBody, options?: CallOptions): ApiPromise<CreateShareAnswer> {
    return this.#transport.call('createShare', { body: share }, options);
  }

  /**
   * The shares of the project that have not expired, the newest first. All at once, unless `query` asks for a part.
   *
   * @example
   * for await (const { kind, expiresAt } of client.shares.list()) console.log(kind, expiresAt);
   */
  list(query?: PartQuery, options?: CallOptions): ListPromise<ListSharesAnswer, Share> {
    return listOf(this.#transport, shares, { query }, options);
  }

  /**
   * The same, page by page as they are asked for.
   *
   * @example
   * for await (const { id, expiresAt } of client.shares.iterate()) console.log(id, expiresAt);
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<Share> {
    return walkOf(this.#transport, shares, {}, options);
  }

  /**
   * Revokes a share: its address answers 404 from now on.
   *
   * @example
   * await client.shares.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.#transport.call('deleteShare', { params: { id } }, options);
  }

  /**
   * A link that signs in to the console once, within a minute, with this client's key.
   *
   * @example
   * const { url } = await client.shares.consoleLink({ page: 'runs' });
   */
  consoleLink(link: CreateConsoleLinkBody = {}, options?: CallOptions): ApiPromise<CreateConsoleLinkAnswer> {
    return this.#transport.call('createConsoleLink', { body: link }, options);
  }
}
