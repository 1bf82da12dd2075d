// client.audit: what was done in the project, by whom and from where. For owners and admins.

import type { Transport } from '../call/transport.ts';
import type { AuditEntry, ListAuditEntriesAnswer, ListAuditEntriesQuery } from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

const entries = defineList('listAuditEntries', 'entries', 'id');

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * One page of entries, the newest first.
   *
   * @example
   * for await (const { action, createdAt } of client.audit.list()) console.log(createdAt, action);
   */
  list(
    query?: ListAuditEntriesQuery,
    options?: CallOptions,
  ): ListPromise<ListAuditEntriesAnswer, AuditEntry> {
    return listOf(this.#transport, entries, { query }, options);
  }

  /**
   * All entries that match, page by page as they are asked for.
   *
   * @example
   * for await (const { actor } of client.audit.iterate({ action: 'key.revoked' })) console.log(actor.label);
   */
  iterate(
    filter: Omit<ListAuditEntriesQuery, 'limit' | 'offset' | 'after'> = {},
    options?: CallOptions & PageOptions,
  ): ItemSequence<AuditEntry> {
    return walkOf(this.#transport, entries, { query: filter }, options);
  }
}
