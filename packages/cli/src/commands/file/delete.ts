// envsnap file delete

import type { EnvSnap } from '@envsnap/sdk';
import { fileIds } from '../../actions/references/id-spaces.ts';
import { DeleteCommand } from '../../delete-command.ts';
import { idArgument } from '../../flags.ts';

export default class FileDelete extends DeleteCommand {
  static override summary = 'Delete a file.';
  static override args = { id: idArgument('file') };
  protected override readonly idsOf = fileIds;

  protected override questionOf(id: string): string {
    return `Delete file ${id}?`;
  }

  protected override remove(client: EnvSnap, id: string) {
    return client.files.delete(id);
  }
}
