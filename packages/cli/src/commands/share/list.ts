// envsnap share list

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderShares } from '../../render/service/shares.ts';

export default class ShareList extends BaseCommand {
  static override summary = 'List the pages that are shared, the newest first.';
  static override description =
    'Their addresses are not listed: the server keeps none. Shares that have ended are gone.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(ShareList);
    const client = await this.client(flags);
    const list = await client.shares.list();
    this.print(renderShares(list.shares, this.screen));
    return list;
  }
}
