// client.usage: what the project holds and may hold, and its requests. docs/specification.md §7.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { CallOptions } from '../settings.ts';

export class UsageReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** What the project holds and what it may hold. */
  get(options?: CallOptions): ApiPromise<Answer<'getUsage'>> {
    return this.#transport.call('getUsage', {}, options);
  }

  /** Requests by period and endpoint; by default the last 30 days, by day. */
  history(
    query?: QueryInput<'getUsageHistory'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'getUsageHistory'>> {
    return this.#transport.call('getUsageHistory', { query }, options);
  }

  /** The last 100 requests, the newest first. */
  live(options?: CallOptions): ApiPromise<Answer<'getLiveRequests'>> {
    return this.#transport.call('getLiveRequests', {}, options);
  }
}
