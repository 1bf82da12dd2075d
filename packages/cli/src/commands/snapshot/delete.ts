// envsnap snapshot delete

import { string } from '@oclif/core/args';
import { snapshotIds } from '../../actions/id-spaces.ts';
import { resolveId } from '../../actions/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';

export default class SnapshotDelete extends BaseCommand {
  static override summary = 'Delete a stored snapshot.';
  static override args = {
    id: string({ required: true, description: 'Id of the snapshot, or its first 8 or more characters.' }),
  };
  static override flags = { ...yesFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(SnapshotDelete);
    const client = await this.client(flags);
    const id = await resolveId(args.id, snapshotIds(client));
    await this.confirm(`Delete snapshot ${id}?`, flags.yes);
    await client.snapshots.delete(id);
    this.print(`Deleted snapshot ${id}.`);
    return { id, deleted: id };
  }
}
