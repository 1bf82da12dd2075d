// envsnap team invite

import { string } from '@oclif/core/flags';
import { expectEnd, newKeyRequest } from '../../actions/service/key-expiry.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, newKeyFlags, projectFlag } from '../../flags.ts';
import { renderNewKey } from '../../render/service/new-key.ts';

export default class TeamInvite extends BaseCommand {
  static override summary = 'Invite a member: makes a key for them, shown once.';
  static override examples = ['envsnap team invite --label "Ada" --role member --expires 90d'];
  static override flags = {
    label: string({ summary: 'Who is invited.', helpValue: 'TEXT' }),
    ...newKeyFlags,
    ...projectFlag,
    ...connectionFlags,
  };

  override async run() {
    const { flags } = await this.parse(TeamInvite);
    const request = newKeyRequest(flags);
    const { connection, client, projectId } = await this.clientAndProject(flags, flags.project);
    const made = await client.team.invite(projectId, request);
    expectEnd(made, request);
    this.print(renderNewKey(`Invited member ${made.memberId}`, made, this.screen));
    this.print(`They save it with: envsnap init --base-url ${connection.baseUrl} --api-key-stdin`);
    return { id: made.memberId, ...made };
  }
}
