// envsnap whoami

import { BaseCommand } from '../base-command.ts';
import { connectionFlags } from '../flags.ts';
import { renderIdentity } from '../render/service/identity.ts';

export default class Whoami extends BaseCommand {
  static override summary = 'Show which key, role, project and server are in use.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(Whoami);
    const connection = await this.connection(flags);
    const client = await this.clientOf(connection);
    const key = await client.keys.current();
    const { baseUrl, profileName, apiKeySource, baseUrlSource } = connection;
    const result = {
      ...key,
      apiKeyId: key.id,
      baseUrl,
      profile: profileName ?? null,
      apiKeySource,
      baseUrlSource,
    };
    this.print(renderIdentity(result, this.screen));
    return result;
  }
}
