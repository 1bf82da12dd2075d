// envsnap project update

import { visible } from '@envsnap/shared/text/visible';
import { string as stringArg } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../base-command.ts';
import { missingFlag } from '../../errors/cli-error.ts';
import { connectionFlags } from '../../flags.ts';

export default class ProjectUpdate extends BaseCommand {
  static override summary = 'Change the name or description of a project.';
  static override args = {
    id: stringArg({ description: 'Id of the project; by default the one of the key.' }),
  };
  static override flags = {
    name: string({ summary: 'New name.', helpValue: 'NAME' }),
    description: string({ summary: 'New description; "" removes it.', helpValue: 'TEXT' }),
    ...connectionFlags,
  };

  override async run() {
    const { args, flags } = await this.parse(ProjectUpdate);
    const { name, description } = flags;
    if (name === undefined && description === undefined) {
      throw missingFlag('--name or --description', 'there is nothing to change');
    }
    const { client, projectId: id } = await this.clientAndProject(flags, args.id);
    await client.projects.update(id, {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description: description === '' ? null : description }),
    });
    this.print(`Changed project ${visible(id)}.`);
    return { id, updated: id };
  }
}
