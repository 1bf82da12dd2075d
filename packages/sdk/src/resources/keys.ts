// client.keys: create, list and revoke keys of the current project. Spec: Bootstrap and API keys; Decisions §9.

import type { ApiPromise } from '../api-promise.ts';
import type { Answer, BodyInput } from '../call.ts';
import type { CallOptions } from '../settings.ts';
import type { Transport } from '../transport.ts';

export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a key. The answer holds it, this once. */
  create(key: BodyInput<'createKey'> = {}, options?: CallOptions): ApiPromise<Answer<'createKey'>> {
    return this.#transport.call('createKey', { body: key }, options);
  }

  /** The keys of the project, without their secrets. */
  list(options?: CallOptions): ApiPromise<Answer<'listKeys'>> {
    return this.#transport.call('listKeys', {}, options);
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
