// envsnap whoami

import type { ApiKey } from '@envsnap/shared';
import { BaseCommand } from '../base-command.ts';
import type { SettingSource } from '../connection/settings.ts';
import { connectionFlags } from '../flags.ts';
import { renderFields, when } from '../render/layout/table.ts';
import type { Screen } from '../terminal/terminal.ts';

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

/** The calling key with where it and the address came from. */
interface Identity extends ApiKey {
  readonly projectId: string;
  readonly projectName: string;
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly apiKeySource: SettingSource;
  readonly baseUrlSource: SettingSource;
}

/** Renders an identity. */
function renderIdentity(identity: Identity, screen: Screen): string {
  const origin: Record<SettingSource, string> = {
    flag: 'from a flag',
    variable: 'from a variable',
    profile: `from profile ${identity.profile}`,
    default: 'the default',
  };
  return renderFields(
    [
      ['project', `${identity.projectName} (${identity.projectId})`],
      ['role', identity.role],
      ['key', `${identity.label ?? 'without label'} (${identity.prefix}…, ${origin[identity.apiKeySource]})`],
      ['key id', identity.id],
      ['key since', when(identity.createdAt, screen)],
      ...(identity.expiresAt ? [['key expires', when(identity.expiresAt, screen)] as const] : []),
      ['server', `${identity.baseUrl} (${origin[identity.baseUrlSource]})`],
    ],
    screen,
  );
}
