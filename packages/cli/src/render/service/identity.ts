// Who the configured key is.

import type { ApiKey } from '@envsnap/shared';
import type { SettingSource } from '../../connection/settings.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { renderFields } from '../layout/table.ts';
import { when } from '../layout/time.ts';

/** The calling key with where it and the address came from. */
export interface Identity extends ApiKey {
  readonly projectId: string;
  readonly projectName: string;
  readonly baseUrl: string;
  readonly profile: string | null;
  readonly apiKeySource: SettingSource;
  readonly baseUrlSource: SettingSource;
}

/** Renders an identity. */
export function renderIdentity(identity: Identity, screen: Screen): string {
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
