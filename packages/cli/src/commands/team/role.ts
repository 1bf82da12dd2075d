// envsnap team role

import { visible } from '@envsnap/shared/text/visible';
import { string } from '@oclif/core/args';
import { memberIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { assignableRoles, connectionFlags, idArgument, projectFlag } from '../../flags.ts';

export default class TeamRole extends BaseCommand {
  static override summary = 'Change the role of a member.';
  static override examples = ['envsnap team role 0193a5c2 viewer'];
  static override args = {
    member: idArgument('member'),
    role: string({ required: true, options: [...assignableRoles], description: 'The new role.' }),
  };
  static override flags = { ...projectFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(TeamRole);
    const { client, projectId } = await this.clientAndProject(flags, flags.project);
    const memberId = await resolveId(args.member, memberIds(client, projectId));
    const role = assignableRoles.find((known) => known === args.role) ?? 'member';
    const changed = await client.team.updateRole(projectId, memberId, role);
    this.print(`Member ${visible(changed.memberId)} is ${visible(changed.newRole)} now.`);
    return { id: changed.memberId, role: changed.newRole, ...changed };
  }
}
