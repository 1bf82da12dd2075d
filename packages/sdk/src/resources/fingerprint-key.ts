// client.fingerprintKey: the key that fingerprints of secrets are made with. docs/specification.md §10.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type { FingerprintKey } from '../contract/types.ts';
import type { CallOptions } from '../settings.ts';

export class FingerprintKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The project's current key. For owner, admin and member; viewers get a `PermissionError`.
   *
   * @example
   * const { id, key } = await client.fingerprintKey.get();
   */
  get(options?: CallOptions): ApiPromise<FingerprintKey> {
    return this.#transport.call('getFingerprintKey', {}, options);
  }

  /**
   * Replaces the key and returns the new one. Fingerprints that are stored stay as they are: they compare with each other,
   * and are unknown beside those of later captures. For owner and admin.
   *
   * @example
   * const { key } = await client.fingerprintKey.rotate();
   */
  rotate(options?: CallOptions): ApiPromise<FingerprintKey> {
    return this.#transport.call('rotateFingerprintKey', {}, options);
  }
}
