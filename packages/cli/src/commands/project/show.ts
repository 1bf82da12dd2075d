// envsnap project show

import type { ProjectWithCounts } from '@envsnap/shared';
import { string } from '@oclif/core/args';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags } from '../../flags.ts';
import { renderProject } from '../../render/service/projects.ts';

export default class ProjectShow extends BaseCommand {
  static override summary = 'Show a project with its counts.';
  static override args = { id: string({ description: 'Id of the project; by default the one of the key.' }) };
  static override flags = { ...connectionFlags };

  override async run(): Promise<ProjectWithCounts> {
    const { args, flags } = await this.parse(ProjectShow);
    const { client, projectId } = await this.clientAndProject(flags, args.id);
    const project = await client.projects.get(projectId);
    this.print(renderProject(project, this.screen));
    return project;
  }
}
