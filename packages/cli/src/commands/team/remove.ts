// envsnap team remove

import { visible } from '@envsnap/shared/text/visible';
import { memberIds } from '../../actions/references/id-spaces.ts';
import { resolveId } from '../../actions/references/resolve-id.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, idArgument, projectFlag, yesFlag } from '../../flags.ts';

export default class TeamRemove extends BaseCommand {
  static override summary = 'Remove a member and revoke their key.';
  static override args = { member: idArgument('member') };
  static override flags = { ...yesFlag, ...projectFlag, ...connectionFlags };

  override async run() {
    const { args, flags } = await this.parse(TeamRemove);
    const { client, projectId } = await this.clientAndProject(flags, flags.project);
    const memberId = await resolveId(args.member, memberIds(client, projectId));
    await this.confirm(`Remove member ${memberId} and revoke their key?`, flags.yes);
    await client.team.remove(projectId, memberId);
    this.print(`Removed member ${visible(memberId)}.`);
    return { id: memberId, removed: memberId };
  }
}
