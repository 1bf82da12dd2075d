// client.service: is the server there? Needs no key. docs/specification.md §1.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type { GetHealthAnswer, GetReadinessAnswer } from '../contract/types.ts';
import type { CallOptions } from '../settings.ts';

export class Service {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The process is alive; returns its version.
   *
   * @example
   * const { version } = await client.service.health();
   */
  health(options?: CallOptions): ApiPromise<GetHealthAnswer> {
    return this.#transport.call('getHealth', {}, options);
  }

  /**
   * Requests can be served. `ServerError` when not; pass `retries: 0` to know at once.
   *
   * @example
   * await client.service.ready({ retries: 0 });
   */
  ready(options?: CallOptions): ApiPromise<GetReadinessAnswer> {
    return this.#transport.call('getReadiness', {}, options);
  }
}
