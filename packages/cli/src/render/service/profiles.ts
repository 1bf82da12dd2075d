// Saved profiles as a table.

import type { ListedProfile } from '../../documents/settings-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { renderTable } from '../layout/table.ts';

/** Renders the profiles; the current one is marked with `*`. */
export function renderProfiles(profiles: readonly ListedProfile[], screen: Screen): string {
  if (profiles.length === 0) return 'No profiles yet. envsnap init makes one.\n';
  return renderTable(
    [
      { header: '' },
      { header: 'NAME' },
      { header: 'SERVER', shrinks: true },
      { header: 'PROJECT', shrinks: true },
      { header: 'KEY' },
    ],
    profiles.map((profile) => [
      profile.current ? { text: '*', style: 'green' } : '',
      profile.name,
      profile.baseUrl,
      profile.projectName || profile.projectId,
      `${profile.keyPrefix}…`,
    ]),
    screen,
  );
}
