// client.keys: create, list and revoke keys of the current project. docs/specification.md §1, §9.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, BodyInput, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { ApiKey } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a key. The answer holds it, this once. */
  create(key: BodyInput<'createKey'> = {}, options?: CallOptions): ApiPromise<Answer<'createKey'>> {
    return this.#transport.call('createKey', { body: key }, options);
  }

  /** The keys of the project, without their secrets. All at once, unless `query` asks for a part. */
  list(query?: QueryInput<'listKeys'>, options?: CallOptions): ApiPromise<Answer<'listKeys'>> {
    return this.#transport.call('listKeys', { query }, options);
  }

  /** The same, page by page as they are asked for. */
  iterate(options?: CallOptions & PageOptions): ItemSequence<ApiKey> {
    return iteratePages(
      async (place) => {
        const { keys: items, total } = await this.list(place, options);
        return { items, total };
      },
      ({ id }) => id,
      options,
    );
  }

  /** Who am I: this client's key and its project. */
  current(options?: CallOptions): ApiPromise<Answer<'getCurrentKey'>> {
    return this.#transport.call('getCurrentKey', {}, options);
  }

  /** Revokes a key and removes its member. Not for the own key. */
  revoke(id: string, options?: CallOptions): ApiPromise<Answer<'revokeKey'>> {
    return this.#transport.call('revokeKey', { params: { id } }, options);
  }
}
