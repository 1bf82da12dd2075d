// envsnap team list

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, projectFlag } from '../../flags.ts';
import { renderMembers } from '../../render/service/keys.ts';

export default class TeamList extends BaseCommand {
  static override summary = 'List the members of the project.';
  static override flags = { ...projectFlag, ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(TeamList);
    const { client, projectId } = await this.clientAndProject(flags, flags.project);
    const list = await client.team.list(projectId);
    this.print(renderMembers(list.members, this.screen));
    return list;
  }
}
