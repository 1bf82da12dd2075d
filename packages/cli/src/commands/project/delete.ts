// envsnap project delete

import type { EnvSnap } from '@envsnap/sdk';
import { counted } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import { string } from '@oclif/core/args';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';

export default class ProjectDelete extends BaseCommand {
  static override summary = 'Delete a project and everything in it, for good.';
  static override description =
    'Snapshots, files, keys, members, webhooks and logs are deleted, and the key that encrypted them is destroyed.';
  static override args = { id: string({ required: true, description: 'Id of the project.' }) };
  static override flags = { ...yesFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(ProjectDelete);
    const client = await this.client(flags);
    if (!flags.yes) await this.confirm(await this.question(client, args.id), false);
    const { message } = await client.projects.delete(args.id);
    this.print(visible(message));
    return { id: args.id, deleted: args.id, message };
  }

  private async question(client: EnvSnap, id: string): Promise<string> {
    if (!this.canAsk) return '';
    const { name, counts } = await client.projects.get(id);
    const inside = [
      counted(counts.snapshots, 'snapshot'),
      counted(counts.files, 'file'),
      counted(counts.members, 'member'),
    ].join(', ');
    return `Delete project "${visible(name)}" with ${inside}, for good?`;
  }
}
