// envsnap webhook list

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderWebhooks } from '../../render/service/webhooks.ts';

export default class WebhookList extends BaseCommand {
  static override summary = 'List webhooks, the newest first.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(WebhookList);
    const client = await this.client(flags);
    const list = await client.webhooks.list();
    this.print(renderWebhooks(list.webhooks, this.screen));
    return list;
  }
}
