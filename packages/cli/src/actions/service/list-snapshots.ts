// Lists stored snapshots: one page, or all of them.

import type { EnvSnap } from '@envsnap/sdk';
import type { SnapshotSummary } from '@envsnap/shared';

/** What a list can be narrowed to. */
export interface SnapshotFilter {
  readonly machineName?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly outcome?: 'passed' | 'failed' | undefined;
  readonly outcomeOf?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Snapshots with their place among all that fit the filter. */
export interface SnapshotList {
  readonly snapshots: SnapshotSummary[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

/** A page of snapshots, or all that fit the filter. */
export async function listSnapshots(
  client: EnvSnap,
  filter: SnapshotFilter,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<SnapshotList> {
  if (page !== 'all') return client.snapshots.list({ ...filter, ...page });
  const snapshots: SnapshotSummary[] = [];
  for await (const snapshot of client.snapshots.iterate(filter)) snapshots.push(snapshot);
  return { snapshots, total: snapshots.length, limit: snapshots.length, offset: 0, next: null };
}
