// envsnap project create

import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../base-command.ts';
import { checkConfigWritable, checkProfileName, readProfiles, saveProfile } from '../../connection/config.ts';
import { CliError } from '../../errors/cli-error.ts';
import { connectionFlags } from '../../flags.ts';
import { renderNewKey } from '../../render/service/new-key.ts';

export default class ProjectCreate extends BaseCommand {
  static override summary = 'Make another project on the same server, with an owner key of its own.';
  static override examples = ['envsnap project create "Web shop" --save-profile shop'];
  static override args = { name: stringArg({ required: true, description: 'Name of the project.' }) };
  static override flags = {
    description: string({ summary: 'Description of the project.', helpValue: 'TEXT' }),
    'save-profile': string({
      summary: 'Save the new key as this profile, instead of printing it.',
      helpValue: 'NAME',
    }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(ProjectCreate);
    const profile = flags['save-profile'];
    if (profile !== undefined) await this.checkNewProfile(profile);
    const connection = await this.connection(flags);
    const client = await this.clientOf(connection);
    const made = await client.projects.create({ name: args.name, description: flags.description ?? null });
    if (profile === undefined) {
      const title = `Made project ${made.name} (${made.projectId})`;
      this.print(renderNewKey(title, { ...made, role: 'owner' }, this.screen));
      return { id: made.projectId, ...made };
    }
    const { apiKey, projectId, name: projectName } = made;
    await saveProfile(profile, { baseUrl: connection.baseUrl, apiKey, projectId, projectName });
    this.print(
      `Made project ${visible(projectName)} (${projectId}). Its key is saved as profile ${profile}, the current one now.`,
    );
    const { apiKey: _saved, ...rest } = made;
    return { id: projectId, ...rest, profile };
  }

  private async checkNewProfile(profile: string): Promise<void> {
    const { byName } = await readProfiles();
    if (byName.has(checkProfileName(profile))) {
      throw new CliError(`profile "${profile}" exists`, {
        code: 'profile_exists',
        hint: 'Give another name.',
      });
    }
    await checkConfigWritable();
  }
}
