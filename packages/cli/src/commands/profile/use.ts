// envsnap profile use

import { string } from '@oclif/core/args';
import { useProfile } from '../../actions/service/profiles.ts';
import { BaseCommand } from '../../base-command.ts';

export default class ProfileUse extends BaseCommand {
  static override summary = 'Make a profile the current one.';
  static override examples = ['envsnap profile use staging'];
  static override args = { name: string({ required: true, description: 'Name of the profile.' }) };

  override async run(): Promise<{ current: string }> {
    const { args } = await this.parse(ProfileUse);
    await useProfile(args.name);
    this.print(`The current profile is ${args.name}.`);
    return { current: args.name };
  }
}
