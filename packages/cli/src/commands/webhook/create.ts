// envsnap webhook create

import { string as stringArg } from '@oclif/core/args';
import { boolean, string } from '@oclif/core/flags';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, eventOptions, eventsOf, webhookFormatFlag } from '../../flags.ts';
import { renderNewWebhook } from '../../render/service/webhooks.ts';
import { readSecretFromStdin } from '../../terminal/stdin.ts';

export default class WebhookCreate extends BaseCommand {
  static override summary = 'Subscribe a URL to events. The signing secret is shown once.';
  static override examples = [
    'envsnap webhook create https://example.com/hooks/envsnap',
    'envsnap webhook create https://example.com/hooks -e snapshot.created -e snapshot.deleted',
    'envsnap webhook create https://hooks.slack.com/services/T0/B0/x --format slack -e environment.changed',
  ];
  static override args = {
    url: stringArg({ required: true, description: 'http or https URL to deliver to.' }),
  };
  static override flags = {
    event: string({ ...eventOptions, summary: 'Event to subscribe to; repeatable. By default all.' }),
    format: webhookFormatFlag(),
    'secret-stdin': boolean({
      summary: 'Read the signing secret from standard input; by default the server makes one.',
      exclusive: ['api-key-stdin'],
    }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(WebhookCreate);
    const secret = flags['secret-stdin']
      ? await readSecretFromStdin('--secret-stdin', 'signing secret')
      : undefined;
    const client = await this.client(flags);
    const webhook = await client.webhooks.create({
      url: args.url,
      events: eventsOf(flags.event),
      ...(flags.format === undefined ? {} : { format: flags.format }),
      ...(secret === undefined ? {} : { secret }),
    });
    this.print(renderNewWebhook(webhook, secret === undefined, this.screen));
    return webhook;
  }
}
