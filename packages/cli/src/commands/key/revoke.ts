// envsnap key revoke

import { string } from '@oclif/core/args';
import { keyIds } from '../../actions/id-spaces.ts';
import { resolveId } from '../../actions/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, yesFlag } from '../../flags.ts';

export default class KeyRevoke extends BaseCommand {
  static override summary = 'Revoke an API key and remove its membership.';
  static override args = {
    id: string({ required: true, description: 'Id of the key, or its first 8 or more characters.' }),
  };
  static override flags = { ...yesFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(KeyRevoke);
    const client = await this.client(flags);
    const id = await resolveId(args.id, keyIds(client));
    await this.confirm(`Revoke key ${id}? Whoever uses it is refused from the next request on.`, flags.yes);
    await client.keys.revoke(id);
    this.print(`Revoked key ${id}.`);
    return { id, revoked: id };
  }
}
