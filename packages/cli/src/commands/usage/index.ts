// envsnap usage

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderUsage } from '../../render/service/usage.ts';

export default class UsageShow extends BaseCommand {
  static override summary = 'Show what the project holds and what it may hold.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(UsageShow);
    const client = await this.client(flags);
    const usage = await client.usage.get();
    this.print(renderUsage(usage, this.screen));
    return usage;
  }
}
