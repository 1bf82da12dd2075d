// envsnap share delete

import type { EnvSnap } from '@envsnap/sdk';
import { shareIds } from '../../actions/references/id-spaces.ts';
import { DeleteCommand } from '../../delete-command.ts';
import { idArgument } from '../../flags.ts';

export default class ShareDelete extends DeleteCommand {
  static override summary = 'End a share: its address answers 404 from now on.';
  static override args = { id: idArgument('share') };
  protected override readonly idsOf = shareIds;

  protected override questionOf(id: string): string {
    return `Delete share ${id}? Its address answers 404 from now on.`;
  }

  protected override remove(client: EnvSnap, id: string) {
    return client.shares.delete(id);
  }
}
