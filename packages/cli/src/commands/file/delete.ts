// envsnap file delete

import { string } from '@oclif/core/args';
import { fileIds } from '../../actions/id-spaces.ts';
import { resolveId } from '../../actions/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';

export default class FileDelete extends BaseCommand {
  static override summary = 'Delete a file.';
  static override args = {
    id: string({ required: true, description: 'Id of the file, or its first 8 or more characters.' }),
  };
  static override flags = { ...yesFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(FileDelete);
    const client = await this.client(flags);
    const id = await resolveId(args.id, fileIds(client));
    await this.confirm(`Delete file ${id}?`, flags.yes);
    await client.files.delete(id);
    this.print(`Deleted file ${id}.`);
    return { id, deleted: id };
  }
}
