// envsnap webhook show

import { string } from '@oclif/core/args';
import { webhookIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderWebhook } from '../../render/service/webhooks.ts';

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show a webhook with its last delivery attempts.';
  static override args = {
    id: string({ required: true, description: 'Id of the webhook, or its first 8 or more characters.' }),
  };
  static override flags = { ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(WebhookShow);
    const client = await this.client(flags);
    const webhook = await client.webhooks.get(await resolveId(args.id, webhookIds(client)));
    this.print(renderWebhook(webhook, this.screen));
    return webhook;
  }
}
