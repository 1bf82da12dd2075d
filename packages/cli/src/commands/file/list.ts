// envsnap file list

import type { ListFilesAnswer } from '@envsnap/sdk';
import { wholeList } from '../../actions/service/whole-list.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, pageFlags } from '../../flags.ts';
import { renderFiles } from '../../render/service/files.ts';

export default class FileList extends BaseCommand {
  static override summary = 'List files, the newest first.';
  static override flags = { ...pageFlags, ...connectionFlags };

  override async run(): Promise<ListFilesAnswer> {
    const { flags } = await this.parse(FileList);
    const { limit, offset, all } = flags;
    const client = await this.client(flags);
    const list = all
      ? await wholeList(client.files.iterate(), (files) => ({ files }))
      : await client.files.list({ limit, offset });
    this.print(renderFiles(list, this.screen));
    return list;
  }
}
