// envsnap webhook redeliver

import { webhookIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { connectionFlags, idArgument } from '../../flags.ts';
import { renderAttempt } from '../../render/service/webhooks.ts';

export default class WebhookRedeliver extends BaseCommand {
  static override summary = 'Send the event of an earlier delivery attempt again.';
  static override description =
    'envsnap webhook show lists the attempts. The exit code is 7 when the receiver did not accept the event.';
  static override args = { id: idArgument('webhook'), delivery: idArgument('attempt') };
  static override flags = { ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(WebhookRedeliver);
    const client = await this.client(flags);
    const id = await resolveId(args.id, webhookIds(client));
    const deliveryId = await resolveId(args.delivery, {
      noun: 'delivery',
      listCommand: `envsnap webhook show ${id}`,
      ids: async () => (await client.webhooks.get(id)).recentDeliveries.map((attempt) => attempt.id),
    });
    const answer = await client.webhooks.redeliver(id, deliveryId);
    if (!answer.delivery.success) this.endWith(exitCodes.failed);
    this.print(renderAttempt(answer.delivery, this.screen));
    return answer;
  }
}
