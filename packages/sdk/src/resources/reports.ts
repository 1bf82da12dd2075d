// client.usage, client.health, client.audit and client.service: the state of the project and its server. docs/specification.md §1, §7, §19.

import type { ApiPromise } from '../call/api-promise.ts';
import type {
  AuditEntry,
  GetHealthAnswer,
  GetLiveRequestsAnswer,
  GetReadinessAnswer,
  GetUsageHistoryQuery,
  ListAuditEntriesAnswer,
  ListAuditEntriesQuery,
  ProjectHealth,
  Usage,
  UsageHistory,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';
import { Resource } from './resource.ts';

export class UsageReports extends Resource {
  /**
   * The project's usage and its quotas.
   * @example
   * const { resources } = await client.usage.get();
   */
  get(options?: CallOptions): ApiPromise<Usage> {
    return this.transport.call('getUsage', {}, options);
  }

  /**
   * Requests by period and endpoint; by default the last 30 days, by day.
   * @example
   * const { data } = await client.usage.history({ period: 'week' });
   */
  history(query?: GetUsageHistoryQuery, options?: CallOptions): ApiPromise<UsageHistory> {
    return this.transport.call('getUsageHistory', { query }, options);
  }

  /**
   * The last 100 requests, newest first.
   * @example
   * const { requests } = await client.usage.live();
   */
  live(options?: CallOptions): ApiPromise<GetLiveRequestsAnswer> {
    return this.transport.call('getLiveRequests', {}, options);
  }
}

export class Health extends Resource {
  /**
   * The health of the project: machines that changed or depart from their policy, runs that fail and since when, quotas, and
   * failing webhooks.
   * @example
   * const { runs } = await client.health.get();
   * const failing = runs.filter(({ failingSince }) => failingSince !== null);
   */
  get(options?: CallOptions): ApiPromise<ProjectHealth> {
    return this.transport.call('getProjectHealth', {}, options);
  }
}

const entries = defineList('listAuditEntries', 'entries', 'id');

export class Audit extends Resource {
  /**
   * One page of entries, newest first.
   * @example
   * for await (const { action, createdAt } of client.audit.list()) console.log(createdAt, action);
   */
  list(
    query?: ListAuditEntriesQuery,
    options?: CallOptions,
  ): ListPromise<ListAuditEntriesAnswer, AuditEntry> {
    return listOf(this.transport, entries, { query }, options);
  }

  /**
   * All entries that match, fetched page by page as needed.
   * @example
   * for await (const { actor } of client.audit.iterate({ action: 'key.revoked' })) console.log(actor.label);
   */
  iterate(
    filter: Omit<ListAuditEntriesQuery, 'limit' | 'offset' | 'after'> = {},
    options?: CallOptions & PageOptions,
  ): ItemSequence<AuditEntry> {
    return walkOf(this.transport, entries, { query: filter }, options);
  }
}

export class Service extends Resource {
  /**
   * Resolves with the server's version if the process is alive.
   * @example
   * const { version } = await client.service.health();
   */
  health(options?: CallOptions): ApiPromise<GetHealthAnswer> {
    return this.transport.call('getHealth', {}, options);
  }

  /**
   * Resolves if the server can handle requests, and rejects with a `ServerError` if not. Pass `retries: 0` to know at once.
   * @example
   * await client.service.ready({ retries: 0 });
   */
  ready(options?: CallOptions): ApiPromise<GetReadinessAnswer> {
    return this.transport.call('getReadiness', {}, options);
  }
}
