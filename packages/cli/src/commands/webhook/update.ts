// envsnap webhook update

import { boolean, string } from '@oclif/core/flags';
import { webhookIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { missingFlag } from '../../errors/cli-error.ts';
import { connectionFlags, eventOptions, eventsOf, idArgument } from '../../flags.ts';
import { renderWebhooks } from '../../render/service/webhooks.ts';

export default class WebhookUpdate extends BaseCommand {
  static override summary = 'Change the URL or events of a webhook, or switch it on or off.';
  static override examples = ['envsnap webhook update 0193a5c2 --no-active'];
  static override args = { id: idArgument('webhook') };
  static override flags = {
    url: string({ summary: 'New URL.', helpValue: 'URL' }),
    event: string({
      ...eventOptions,
      summary: 'Event to subscribe to, in place of those before; repeatable.',
    }),
    active: boolean({ summary: 'Switch deliveries on, or off with --no-active.', allowNo: true }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(WebhookUpdate);
    const { url, event: events, active } = flags;
    if (url === undefined && events === undefined && active === undefined) {
      throw missingFlag('--url, --event or --active', 'there is nothing to change');
    }
    const client = await this.client(flags);
    const id = await resolveId(args.id, webhookIds(client));
    const webhook = await client.webhooks.update(id, {
      ...(url === undefined ? {} : { url }),
      ...(events === undefined ? {} : { events: eventsOf(events) }),
      ...(active === undefined ? {} : { active }),
    });
    this.print(renderWebhooks([webhook], this.screen));
    return webhook;
  }
}
