// envsnap webhook delete

import type { EnvSnap } from '@envsnap/sdk';
import { webhookIds } from '../../actions/references/id-spaces.ts';
import { DeleteCommand } from '../../delete-command.ts';
import { idArgument } from '../../flags.ts';

export default class WebhookDelete extends DeleteCommand {
  static override summary = 'Delete a webhook and its delivery log.';
  static override args = { id: idArgument('webhook') };
  protected override readonly idsOf = webhookIds;

  protected override questionOf(id: string): string {
    return `Delete webhook ${id} and its delivery log?`;
  }

  protected override remove(client: EnvSnap, id: string) {
    return client.webhooks.delete(id);
  }
}
