// envsnap key list

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderKeys } from '../../render/service/keys.ts';

export default class KeyList extends BaseCommand {
  static override summary = 'List the API keys of the project.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(KeyList);
    const client = await this.client(flags);
    const list = await client.keys.list();
    this.print(renderKeys(list.keys, this.screen));
    return list;
  }
}
