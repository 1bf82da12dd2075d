// envsnap profile remove

import { string } from '@oclif/core/args';
import { findProfile, removeProfile } from '../../actions/service/profiles.ts';
import { BaseCommand } from '../../base-command.ts';
import { yesFlag } from '../../flags.ts';

export default class ProfileRemove extends BaseCommand {
  static override summary =
    'Forget a profile. Its key is deleted from this machine, not revoked on the server.';
  static override args = { name: string({ required: true, description: 'Name of the profile.' }) };
  static override flags = { ...yesFlag };

  override async run(): Promise<{ removed: string; current: string | null }> {
    const { args, flags } = await this.parse(ProfileRemove);
    await findProfile(args.name);
    await this.confirm(`Forget profile ${args.name} and its key?`, flags.yes);
    const current = await removeProfile(args.name);
    this.print(
      `Profile ${args.name} is forgotten. ${current ? `The current profile is ${current}.` : 'There is no current profile now.'}`,
    );
    return { removed: args.name, current: current ?? null };
  }
}
