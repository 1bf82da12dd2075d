// Reads the audit log: the newest entries, or all of them.

import type { EnvSnap, QueryInput } from '@envsnap/sdk';
import type { AuditEntry } from '@envsnap/shared';

/** Entries, and how many there are in all. */
export interface AuditPage {
  readonly entries: AuditEntry[];
  readonly total: number;
}

/** Reads `count` entries, or all. Only entries for which `keep` is true are in the result. */
export async function listAuditEntries(
  client: EnvSnap,
  filter: Pick<QueryInput<'listAuditEntries'>, 'action' | 'actor' | 'from' | 'to'>,
  count: number | 'all',
  keep: (entry: AuditEntry) => boolean,
): Promise<AuditPage> {
  if (count !== 'all') {
    const { entries, total } = await client.audit.list({ ...filter, limit: count });
    return { entries: entries.filter(keep), total };
  }
  const entries: AuditEntry[] = [];
  let total = 0;
  for await (const entry of client.audit.iterate(filter)) {
    total += 1;
    if (keep(entry)) entries.push(entry);
  }
  return { entries, total };
}
