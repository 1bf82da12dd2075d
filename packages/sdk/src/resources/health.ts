// client.health: what the machines, runs, quotas and webhooks of the project look like now. docs/specification.md §19.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type { ProjectHealth } from '../contract/types.ts';
import type { CallOptions } from '../settings.ts';

export class Health {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The health of the project: machines that changed or depart from their policy, runs that fail and since when, quotas, and
   * failing webhooks.
   *
   * @example
   * const { runs } = await client.health.get();
   * const failing = runs.filter(({ failingSince }) => failingSince !== null);
   */
  get(options?: CallOptions): ApiPromise<ProjectHealth> {
    return this.#transport.call('getProjectHealth', {}, options);
  }
}
