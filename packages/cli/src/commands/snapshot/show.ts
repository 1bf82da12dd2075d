// envsnap snapshot show

import type { Snapshot } from '@envsnap/shared';
import { string } from '@oclif/core/args';
import { boolean } from '@oclif/core/flags';
import { isFile } from '../../actions/references/expand-files.ts';
import { readSnapshotFile, resolveStored } from '../../actions/references/resolve-snapshot.ts';
import { isStored, parseReference } from '../../actions/references/snapshot-reference.ts';
import { BaseCommand } from '../../base-command.ts';
import { CliError } from '../../errors/cli-error.ts';
import { connectionFlags } from '../../flags.ts';
import { renderSnapshot } from '../../render/service/snapshots.ts';

export default class SnapshotShow extends BaseCommand {
  static override summary = 'Show a snapshot: a stored one, or one in a file.';
  static override description =
    'Shows values of variables only with --show-values. --json prints the whole snapshot with its values.';
  static override examples = ['envsnap snapshot show last-failed', 'envsnap snapshot show baseline.json'];
  static override args = {
    id: string({
      required: true,
      description:
        'Id of the snapshot, its first 8 or more characters, latest, latest:MACHINE, last-passed, last-failed, or a file that capture --output wrote.',
    }),
  };
  static override flags = {
    'show-values': boolean({ summary: 'Show the values of variables.' }),
    packages: boolean({ summary: 'Show every package with its version.' }),
    ...connectionFlags,
  };

  override async run(): Promise<Snapshot> {
    const { args, flags } = await this.parse(SnapshotShow);
    const reference = parseReference(args.id, isFile);
    if (!isStored(reference) && reference.kind !== 'file') {
      throw new CliError(`"${args.id}" is not stored`, {
        code: 'invalid_reference',
        hint: 'envsnap capture --dry-run shows this machine.',
      });
    }
    // A snapshot from a file has no id and no time of storage.
    const snapshot = isStored(reference)
      ? await resolveStored(reference, await this.snapshotStore(flags))
      : ((await readSnapshotFile(reference.path)) as Snapshot);
    const options = { showValues: flags['show-values'], showDependencies: flags.packages };
    this.print(renderSnapshot(snapshot, options, this.screen));
    return snapshot;
  }
}
