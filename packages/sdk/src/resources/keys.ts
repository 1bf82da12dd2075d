// client.keys: create, list and revoke keys of the current project. docs/specification.md §1, §9.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type {
  ApiKey,
  CreateKeyAnswer,
  GetCurrentKeyAnswer,
  ListKeysAnswer,
  NewKeyBody,
  PartQuery,
  Success,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

const keys = defineList('listKeys', 'keys', 'id');

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a key, with an end (`expiresAt`) or without. The answer holds it, this once.
   *
   * @example
   * const { apiKey } = await client.keys.create({ label: 'nightly build', role: 'viewer', expiresAt: '2027-03-31' });
   */
  create(key: NewKeyBody = {}, options?: CallOptions): ApiPromise<CreateKeyAnswer> {
    return this.#transport.call('createKey', { body: key }, options);
  }

  /**
   * The keys of the project, without their secrets. All at once, unless `query` asks for a part.
   *
   * @example
   * for await (const { label, role } of client.keys.list()) console.log(label, role);
   */
  list(query?: PartQuery, options?: CallOptions): ListPromise<ListKeysAnswer, ApiKey> {
    return listOf(this.#transport, keys, { query }, options);
  }

  /**
   * The same, page by page as they are asked for.
   *
   * @example
   * const viewers = (await client.keys.iterate().toArray()).filter(({ role }) => role === 'viewer');
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<ApiKey> {
    return walkOf(this.#transport, keys, {}, options);
  }

  /**
   * Who am I: this client's key and its project.
   *
   * @example
   * const { label, role } = await client.keys.current();
   */
  current(options?: CallOptions): ApiPromise<GetCurrentKeyAnswer> {
    return this.#transport.call('getCurrentKey', {}, options);
  }

  /**
   * Revokes a key and removes its member. Not for the own key.
   *
   * @example
   * await client.keys.revoke(id);
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.#transport.call('revokeKey', { params: { id } }, options);
  }
}
