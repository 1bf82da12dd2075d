// envsnap key create

import { string } from '@oclif/core/flags';
import { expectEnd, parseExpiry } from '../../actions/service/key-expiry.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, expiresFlag, roleFlag } from '../../flags.ts';
import { renderNewKey } from '../../render/service/new-key.ts';

export default class KeyCreate extends BaseCommand {
  static override summary = 'Make an API key for the project. It is shown once.';
  static override examples = ['envsnap key create --label ci --role member --expires 90d'];
  static override flags = {
    label: string({ summary: 'What the key is for.', helpValue: 'TEXT' }),
    ...roleFlag,
    ...expiresFlag,
    ...connectionFlags,
  };

  override async run() {
    const { flags } = await this.parse(KeyCreate);
    const expiresAt = flags.expires === undefined ? undefined : parseExpiry(flags.expires, Date.now());
    const client = await this.client(flags);
    const made = await client.keys.create({
      label: flags.label ?? null,
      role: flags.role,
      ...(expiresAt !== undefined && { expiresAt }),
    });
    expectEnd(made, expiresAt);
    this.print(renderNewKey('Made a key', made, this.screen));
    return { ...made, id: made.apiKeyId };
  }
}
