// envsnap snapshot delete

import type { EnvSnap } from '@envsnap/sdk';
import { snapshotIds } from '../../actions/references/id-spaces.ts';
import { DeleteCommand, idArgument } from '../../delete-command.ts';

export default class SnapshotDelete extends DeleteCommand {
  static override summary = 'Delete a stored snapshot.';
  static override args = idArgument('snapshot');
  protected override readonly idsOf = snapshotIds;

  protected override questionOf(id: string): string {
    return `Delete snapshot ${id}?`;
  }

  protected override remove(client: EnvSnap, id: string) {
    return client.snapshots.delete(id);
  }
}
