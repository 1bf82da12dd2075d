// client.audit: what was done in the project, by whom and from where. For owners and admins.

import type { ApiPromise } from '../api-promise.ts';
import type { Answer, QueryInput } from '../call.ts';
import type { AuditEntry } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../pagination.ts';
import type { CallOptions } from '../settings.ts';
import type { Transport } from '../transport.ts';

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
