// envsnap file list

import { boolean, integer } from '@oclif/core/flags';
import { type FileList as Listed, listFiles } from '../../actions/service/list-files.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderFiles } from '../../render/service/files.ts';

export default class FileList extends BaseCommand {
  static override summary = 'List files, the newest first.';
  static override flags = {
    limit: integer({
      helpValue: 'N',
      summary: 'How many to show.',
      default: 50,
      min: 1,
      max: 100,
      exclusive: ['all'],
    }),
    offset: integer({
      helpValue: 'N',
      summary: 'How many of the newest to leave out.',
      default: 0,
      min: 0,
      exclusive: ['all'],
    }),
    all: boolean({ summary: 'Show all.' }),
    ...connectionFlags,
  };

  override async run(): Promise<Listed> {
    const { flags } = await this.parse(FileList);
    const { limit, offset, all } = flags;
    const client = await this.client(flags);
    const list = await listFiles(client, all ? 'all' : { limit, offset });
    this.print(renderFiles(list, this.screen));
    return list;
  }
}
