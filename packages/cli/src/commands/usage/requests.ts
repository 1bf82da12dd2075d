// envsnap usage requests

import { option, string } from '@oclif/core/flags';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderRequestHistory } from '../../render/service/usage.ts';

export default class UsageRequests extends BaseCommand {
  static override summary = 'Show how many requests the project made, by period and endpoint.';
  static override examples = ['envsnap usage requests --period hour --from 2026-02-01'];
  static override flags = {
    period: option({
      options: ['hour', 'day', 'week', 'month'] as const,
      default: 'day' as const,
      summary: 'Length of a period (UTC).',
    })(),
    from: string({ summary: 'Start (ISO 8601); by default 30 days before the end.', helpValue: 'TIME' }),
    to: string({ summary: 'End (ISO 8601); by default now.', helpValue: 'TIME' }),
    ...connectionFlags,
  };

  override async run() {
    const { flags } = await this.parse(UsageRequests);
    const client = await this.client(flags);
    const history = await client.usage.history({ period: flags.period, from: flags.from, to: flags.to });
    this.print(renderRequestHistory(history, this.screen));
    return history;
  }
}
