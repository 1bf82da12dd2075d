// envsnap profile list

import { listProfiles } from '../../actions/service/profiles.ts';
import { BaseCommand } from '../../base-command.ts';
import type { ListedProfile } from '../../documents/settings-documents.ts';
import { renderRows } from '../../render/layout/table.ts';
import type { Screen } from '../../terminal/terminal.ts';

export default class ProfileList extends BaseCommand {
  static override summary = 'List saved profiles; the current one is marked.';
  static override description = 'Profiles hold the address of a server and a key. envsnap init makes them.';

  override async run(): Promise<{ profiles: ListedProfile[] }> {
    await this.parse(ProfileList);
    const profiles = await listProfiles();
    this.print(renderProfiles(profiles, this.screen));
    return { profiles };
  }
}

/** Renders the profiles; the current one is marked with `*`. */
function renderProfiles(profiles: readonly ListedProfile[], screen: Screen): string {
  if (profiles.length === 0) return 'No profiles yet. envsnap init makes one.\n';
  return renderRows(screen, profiles, [
    ['', (profile) => (profile.current ? { text: '*', style: 'green' } : '')],
    ['NAME', (profile) => profile.name],
    ['SERVER', (profile) => profile.baseUrl, { shrinks: true }],
    ['PROJECT', (profile) => profile.projectName || profile.projectId, { shrinks: true }],
    ['KEY', (profile) => `${profile.keyPrefix}…`],
  ]);
}
