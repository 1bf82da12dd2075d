// Lists stored snapshots: one page, or all of them.

import type { ListSnapshotsAnswer } from '@envsnap/sdk';
import { settleRecordings } from '../../../bin/pending-recordings.js';
import { CliError } from '../../errors/cli-error.ts';
import type { LocalRuns } from '../../runs/local-runs.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';
import { wholeList } from './whole-list.ts';

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

/** A page of snapshots, or all that fit the filter. */
export async function listSnapshots(
  store: SnapshotStore,
  filter: SnapshotFilter,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<ListSnapshotsAnswer> {
  if ('local' in store) return listRuns(store.local, filter, page);
  const { client } = store;
  if (page !== 'all') return client.snapshots.list({ ...filter, ...page });
  return wholeList(client.snapshots.iterate(filter), (snapshots) => ({ snapshots }));
}

/** The same of the runs that this machine keeps. */
async function listRuns(
  runs: LocalRuns,
  { machineName, os, arch, outcome: result, outcomeOf: of, from, to }: SnapshotFilter,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<ListSnapshotsAnswer> {
  await settleRecordings();
  const momentOf = (time: string) => {
    const moment = Date.parse(time);
    if (!Number.isNaN(moment)) return new Date(moment).toISOString();
    throw new CliError(`"${time}" is not a time`, {
      code: 'usage',
      hint: 'For example 2026-02-01T12:00:00Z.',
    });
  };
  const [first, last] = [from && momentOf(from), to && momentOf(to)];
  const heads = [...runs.list({ machineName, result, of })].filter(
    (head) =>
      (os ?? head.os) === head.os &&
      (arch ?? head.arch) === head.arch &&
      (first ?? head.createdAt) <= head.createdAt &&
      (last ?? head.createdAt) >= head.createdAt,
  );
  const { limit, offset } = page === 'all' ? { limit: heads.length, offset: 0 } : page;
  const snapshots = heads.slice(offset, offset + limit).map((head) => {
    const { dependencies: _, envVars: __, ...summary } = runs.load(head);
    return summary;
  });
  const next = offset + limit < heads.length ? (snapshots.at(-1)?.id ?? null) : null;
  return { snapshots, total: heads.length, limit, offset, next };
}
