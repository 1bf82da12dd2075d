// Saved profiles as a table.

import type { ListedProfile } from '../../documents/settings-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { renderRows } from '../layout/table.ts';

/** Renders the profiles; the current one is marked with `*`. */
export function renderProfiles(profiles: readonly ListedProfile[], screen: Screen): string {
  if (profiles.length === 0) return 'No profiles yet. envsnap init makes one.\n';
  return renderRows(screen, profiles, [
    ['', (profile) => (profile.current ? { text: '*', style: 'green' } : '')],
    ['NAME', (profile) => profile.name],
    ['SERVER', (profile) => profile.baseUrl, { shrinks: true }],
    ['PROJECT', (profile) => profile.projectName || profile.projectId, { shrinks: true }],
    ['KEY', (profile) => `${profile.keyPrefix}…`],
  ]);
}
