// client.usage: what the project holds and may hold, and its requests. docs/specification.md §7.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type { GetLiveRequestsAnswer, GetUsageHistoryQuery, Usage, UsageHistory } from '../contract/types.ts';
import type { CallOptions } from '../settings.ts';

export class UsageReports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * What the project holds and what it may hold.
   *
   * @example
   * const { resources } = await client.usage.get();
   */
  get(options?: CallOptions): ApiPromise<Usage> {
    return this.#transport.call('getUsage', {}, options);
  }

  /**
   * Requests by period and endpoint; by default the last 30 days, by day.
   *
   * @example
   * const { data } = await client.usage.history({ period: 'week' });
   */
  history(query?: GetUsageHistoryQuery, options?: CallOptions): ApiPromise<UsageHistory> {
    return this.#transport.call('getUsageHistory', { query }, options);
  }

  /**
   * The last 100 requests, the newest first.
   *
   * @example
   * const { requests } = await client.usage.live();
   */
  live(options?: CallOptions): ApiPromise<GetLiveRequestsAnswer> {
    return this.#transport.call('getLiveRequests', {}, options);
  }
}
