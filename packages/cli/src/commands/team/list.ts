// envsnap team list

import { projectOf } from '../../actions/references/current-project.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, projectFlag } from '../../flags.ts';
import { renderMembers } from '../../render/service/keys.ts';

export default class TeamList extends BaseCommand {
  static override summary = 'List the members of the project.';
  static override flags = { ...projectFlag, ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(TeamList);
    const connection = await this.connection(flags);
    const client = await this.clientOf(connection);
    const list = await client.team.list(await projectOf(client, connection, flags.project));
    this.print(renderMembers(list.members, this.screen));
    return list;
  }
}
