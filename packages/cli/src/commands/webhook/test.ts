// envsnap webhook test

import { webhookIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { connectionFlags, idArgument } from '../../flags.ts';
import { renderAttempt } from '../../render/service/webhooks.ts';

export default class WebhookTest extends BaseCommand {
  static override summary = 'Send a test event to a webhook now, and say how it went.';
  static override description = 'The exit code is 7 when the receiver did not accept the event.';
  static override args = { id: idArgument('webhook') };
  static override flags = { ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(WebhookTest);
    const client = await this.client(flags);
    const answer = await client.webhooks.test(await resolveId(args.id, webhookIds(client)));
    if (!answer.delivery.success) this.endWith(exitCodes.failed);
    this.print(renderAttempt(answer.delivery, this.screen));
    return answer;
  }
}
