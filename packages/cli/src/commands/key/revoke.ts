// envsnap key revoke

import type { EnvSnap } from '@envsnap/sdk';
import { keyIds } from '../../actions/references/id-spaces.ts';
import { DeleteCommand } from '../../delete-command.ts';
import { idArgument } from '../../flags.ts';

export default class KeyRevoke extends DeleteCommand {
  static override summary = 'Revoke an API key and remove its membership.';
  static override args = { id: idArgument('key') };
  protected override readonly done = 'revoked';
  protected override readonly idsOf = keyIds;

  protected override questionOf(id: string): string {
    return `Revoke key ${id}? Whoever uses it is refused from the next request on.`;
  }

  protected override remove(client: EnvSnap, id: string) {
    return client.keys.revoke(id);
  }
}
