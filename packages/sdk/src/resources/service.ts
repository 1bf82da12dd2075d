// client.service: is the server there? Needs no key. docs/specification.md §1.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { CallOptions } from '../settings.ts';

export class Service {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The process is alive; tells its version. */
  health(options?: CallOptions): ApiPromise<Answer<'getHealth'>> {
    return this.#transport.call('getHealth', {}, options);
  }

  /** Requests can be served. `ServerError` when not; pass `retries: 0` to know at once. */
  ready(options?: CallOptions): ApiPromise<Answer<'getReadiness'>> {
    return this.#transport.call('getReadiness', {}, options);
  }
}
