// Reads the audit log: the newest entries, or all of them.

import type { EnvSnap, QueryInput } from '@envsnap/sdk';
import type { AuditEntry } from '@envsnap/shared';

/** Entries with their place among all. */
export interface AuditPage {
  readonly entries: AuditEntry[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly next: string | null;
}

/** Reads `count` entries, or all. Only entries for which `keep` is true are in the result. */
export async function listAuditEntries(
  client: EnvSnap,
  filter: Pick<QueryInput<'listAuditEntries'>, 'action' | 'actor' | 'from' | 'to'>,
  count: number | 'all',
  keep: (entry: AuditEntry) => boolean,
): Promise<AuditPage> {
  if (count !== 'all') {
    const page = await client.audit.list({ ...filter, limit: count });
    return { ...page, entries: page.entries.filter(keep) };
  }
  const entries: AuditEntry[] = [];
  let total = 0;
  for await (const entry of client.audit.iterate(filter)) {
    total += 1;
    if (keep(entry)) entries.push(entry);
  }
  return { entries, total, limit: total, offset: 0, next: null };
}
