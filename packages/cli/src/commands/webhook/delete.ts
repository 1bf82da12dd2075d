// envsnap webhook delete

import { string } from '@oclif/core/args';
import { webhookIds } from '../../actions/id-spaces.ts';
import { resolveId } from '../../actions/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';

export default class WebhookDelete extends BaseCommand {
  static override summary = 'Delete a webhook and its delivery log.';
  static override args = {
    id: string({ required: true, description: 'Id of the webhook, or its first 8 or more characters.' }),
  };
  static override flags = { ...yesFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(WebhookDelete);
    const client = await this.client(flags);
    const id = await resolveId(args.id, webhookIds(client));
    await this.confirm(`Delete webhook ${id} and its delivery log?`, flags.yes);
    await client.webhooks.delete(id);
    this.print(`Deleted webhook ${id}.`);
    return { id, deleted: id };
  }
}
