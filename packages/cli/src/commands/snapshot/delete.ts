// envsnap snapshot delete

import { counted } from '@envsnap/shared/text/size';
import { integer, string } from '@oclif/core/flags';
import { chooseDeletions } from '../../actions/service/delete-snapshots.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';
import { withProgress } from '../../terminal/progress.ts';

export default class SnapshotDelete extends BaseCommand {
  static override summary = 'Delete stored snapshots: those that are named, or old ones.';
  static override description =
    '--older-than, --machine and --keep go together: what is deleted is older, of that machine, and not among its newest. ' +
    'Runs have a limit of their own, so these flags leave them; name a run to delete it.';
  static override usage = 'snapshot delete [ID…] [FLAGS]';
  static override examples = [
    'envsnap snapshot delete 0193a5c2',
    'envsnap snapshot delete --older-than 30d --keep 5 --yes',
  ];
  static override strict = false;
  static override flags = {
    'older-than': string({ summary: 'Those older than this: 12h, 30d, 8w.', helpValue: 'AGE' }),
    machine: string({ summary: 'Those of this machine.', helpValue: 'NAME' }),
    keep: integer({ summary: 'Leave the newest of each machine.', min: 0, helpValue: 'N' }),
    ...yesFlag,
    ...connectionFlags,
  };

  override async run(): Promise<{ id: string | null; deleted: string | null; ids: string[] }> {
    const { argv, flags } = await this.parse(SnapshotDelete);
    const client = await this.client(flags);
    const ids = await chooseDeletions(client, {
      ids: argv.map(String),
      olderThan: flags['older-than'],
      machineName: flags.machine,
      keep: flags.keep,
    });
    const [only] = ids;
    const what =
      ids.length === 1 && only !== undefined ? `snapshot ${only}` : counted(ids.length, 'snapshot');
    if (ids.length > 0) await this.confirm(`Delete ${what}?`, flags.yes);
    await withProgress(`Deleting ${what}`, async ({ say }) => {
      for (const [place, id] of ids.entries()) {
        await client.snapshots.delete(id);
        say(`Deleted ${place + 1} of ${ids.length}`);
      }
    });
    this.print(ids.length === 0 ? 'There is nothing to delete.' : `Deleted ${what}.`);
    const id = ids.length === 1 ? (only ?? null) : null;
    return { id, deleted: id, ids };
  }
}
