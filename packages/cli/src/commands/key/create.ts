// envsnap key create

import { string } from '@oclif/core/flags';
import { expectEnd, newKeyRequest } from '../../actions/service/key-expiry.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, newKeyFlags } from '../../flags.ts';
import { renderNewKey } from '../../render/service/new-key.ts';

export default class KeyCreate extends BaseCommand {
  static override summary = 'Make an API key for the project. It is shown once.';
  static override examples = ['envsnap key create --label ci --role member --expires 90d'];
  static override flags = {
    label: string({ summary: 'What the key is for.', helpValue: 'TEXT' }),
    ...newKeyFlags,
    ...connectionFlags,
  };

  override async run() {
    const { flags } = await this.parse(KeyCreate);
    const request = newKeyRequest(flags);
    const client = await this.client(flags);
    const made = await client.keys.create(request);
    expectEnd(made, request);
    this.print(renderNewKey('Made a key', made, this.screen));
    return { ...made, id: made.apiKeyId };
  }
}
