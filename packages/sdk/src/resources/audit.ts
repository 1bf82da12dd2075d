// client.audit: what was done in the project, by whom and from where. For owners and admins.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { AuditEntry } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page of entries, the newest first. */
  list(
    query?: QueryInput<'listAuditEntries'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'listAuditEntries'>> {
    return this.#transport.call('listAuditEntries', { query }, options);
  }

  /** All entries that match, page by page as they are asked for. */
  iterate(
    filter: Omit<QueryInput<'listAuditEntries'>, 'limit' | 'offset' | 'after'> = {},
    options?: CallOptions & PageOptions,
  ): ItemSequence<AuditEntry> {
    return iteratePages(
      async (place) => {
        const { entries: items, total, next } = await this.list({ ...filter, ...place }, options);
        return { items, total, next };
      },
      ({ id }) => id,
      options,
    );
  }
}
