// envsnap project list

import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderProjects } from '../../render/service/projects.ts';

export default class ProjectList extends BaseCommand {
  static override summary = 'List the projects that the key has access to.';
  static override flags = { ...connectionFlags };

  override async run() {
    const { flags } = await this.parse(ProjectList);
    const client = await this.client(flags);
    const list = await client.projects.list();
    this.print(renderProjects(list.projects, this.screen));
    return list;
  }
}
