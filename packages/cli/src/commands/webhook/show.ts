// envsnap webhook show

import { webhookIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, idArgument } from '../../flags.ts';
import { renderWebhook } from '../../render/service/webhooks.ts';

export default class WebhookShow extends BaseCommand {
  static override summary = 'Show a webhook with its last delivery attempts.';
  static override args = { id: idArgument('webhook') };
  static override flags = { ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(WebhookShow);
    const client = await this.client(flags);
    const webhook = await client.webhooks.get(await resolveId(args.id, webhookIds(client)));
    this.print(renderWebhook(webhook, this.screen));
    return webhook;
  }
}
