// envsnap snapshot list

import type { ListSnapshotsAnswer } from '@envsnap/sdk';
import { option, string } from '@oclif/core/flags';
import { settleRecordings } from '../../../plain/pending-recordings.js';
import { wholeList } from '../../actions/service/whole-list.ts';
import { BaseCommand } from '../../base-command.ts';
import { usageError } from '../../errors/cli-error.ts';
import { connectionFlags, pageFlags } from '../../flags.ts';
import { renderSnapshots } from '../../render/service/snapshots.ts';
import type { LocalRuns } from '../../runs/local-runs.ts';
import type { SnapshotStore } from '../../runs/snapshot-store.ts';

export default class SnapshotList extends BaseCommand {
  static override summary = 'List stored snapshots, newest first.';
  static override description =
    'Without a server, lists the runs of the project that envsnap run recorded on this machine.';
  static override examples = [
    'envsnap snapshot list',
    'envsnap snapshot list --machine build-7 --from 2026-02-01',
  ];
  static override flags = {
    ...pageFlags,
    machine: string({ summary: 'Only this machine.', helpValue: 'NAME' }),
    os: string({ summary: 'Only this operating system, e.g. linux.', helpValue: 'NAME' }),
    arch: string({ summary: 'Only this architecture, e.g. arm64.', helpValue: 'NAME' }),
    outcome: option({
      options: ['passed', 'failed'] as const,
      summary: 'Only captures of runs with this outcome.',
    })(),
    'outcome-of': string({ summary: 'Only captures of runs with this name.', helpValue: 'NAME' }),
    from: string({ summary: 'Only snapshots stored at or after this time (ISO 8601).', helpValue: 'TIME' }),
    to: string({ summary: 'Only snapshots stored at or before this time (ISO 8601).', helpValue: 'TIME' }),
    ...connectionFlags,
  };

  override async run(): Promise<ListSnapshotsAnswer> {
    const { flags } = await this.parse(SnapshotList);
    const { limit, offset, all, machine: machineName, os, arch, outcome, from, to } = flags;
    const store = await this.snapshotStore(flags);
    const filter = { machineName, os, arch, outcome, outcomeOf: flags['outcome-of'], from, to };
    const list = await listSnapshots(store, filter, all ? 'all' : { limit, offset });
    const hint = 'local' in store ? 'run -- COMMAND records its run' : 'capture stores one';
    this.print(renderSnapshots(list, this.screen, hint));
    return list;
  }
}

interface SnapshotFilter {
  readonly machineName?: string | undefined;
  readonly os?: string | undefined;
  readonly arch?: string | undefined;
  readonly outcome?: 'passed' | 'failed' | undefined;
  readonly outcomeOf?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

async function listSnapshots(
  store: SnapshotStore,
  filter: SnapshotFilter,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<ListSnapshotsAnswer> {
  if ('local' in store) return listRuns(store.local, filter, page);
  const { client } = store;
  if (page !== 'all') return client.snapshots.list({ ...filter, ...page });
  return wholeList(client.snapshots.iterate(filter), (snapshots) => ({ snapshots }));
}

/** The same for the runs on this machine. */
async function listRuns(
  runs: LocalRuns,
  { machineName, os, arch, outcome: result, outcomeOf: of, from, to }: SnapshotFilter,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<ListSnapshotsAnswer> {
  await settleRecordings();
  const momentOf = (time: string) => {
    const moment = Date.parse(time);
    if (!Number.isNaN(moment)) return new Date(moment).toISOString();
    throw usageError(`"${time}" is not a time`, 'For example 2026-02-01T12:00:00Z.');
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
