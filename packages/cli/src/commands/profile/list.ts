// envsnap profile list

import { listProfiles } from '../../actions/service/profiles.ts';
import { BaseCommand } from '../../base-command.ts';
import type { ListedProfile } from '../../documents/settings-documents.ts';
import { renderProfiles } from '../../render/service/profiles.ts';

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
