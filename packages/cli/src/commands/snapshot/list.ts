// envsnap snapshot list

import type { ListSnapshotsAnswer } from '@envsnap/sdk';
import { option, string } from '@oclif/core/flags';
import { listSnapshots } from '../../actions/service/list-snapshots.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, pageFlags } from '../../flags.ts';
import { renderSnapshots } from '../../render/service/snapshots.ts';

export default class SnapshotList extends BaseCommand {
  static override summary = 'List stored snapshots, the newest first.';
  static override description =
    'Without a server these are the runs that envsnap run has kept of the project on this machine.';
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
    'outcome-of': string({ summary: 'Only captures of runs of this name.', helpValue: 'NAME' }),
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
    const hint = 'local' in store ? 'run -- COMMAND keeps its run' : 'capture stores one';
    this.print(renderSnapshots(list, this.screen, hint));
    return list;
  }
}
