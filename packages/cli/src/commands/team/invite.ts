// envsnap team invite

import { string } from '@oclif/core/flags';
import { expectEnd, parseExpiry } from '../../actions/service/key-expiry.ts';
import { BaseCommand } from '../../base-command.ts';
import { connectionFlags, expiresFlag, projectFlag, roleFlag } from '../../flags.ts';
import { renderNewKey } from '../../render/service/new-key.ts';

export default class TeamInvite extends BaseCommand {
  static override summary = 'Invite a member: makes a key for them, shown once.';
  static override examples = ['envsnap team invite --label "Ada" --role member --expires 90d'];
  static override flags = {
    label: string({ summary: 'Who is invited.', helpValue: 'TEXT' }),
    ...roleFlag,
    ...expiresFlag,
    ...projectFlag,
    ...connectionFlags,
  };

  override async run() {
    const { flags } = await this.parse(TeamInvite);
    const expiresAt = flags.expires === undefined ? undefined : parseExpiry(flags.expires, Date.now());
    const { connection, client, projectId } = await this.clientAndProject(flags, flags.project);
    const made = await client.team.invite(projectId, {
      label: flags.label ?? null,
      role: flags.role,
      ...(expiresAt !== undefined && { expiresAt }),
    });
    expectEnd(made, expiresAt);
    this.print(renderNewKey(`Invited member ${made.memberId}`, made, this.screen));
    this.print(`They save it with: envsnap init --base-url ${connection.baseUrl} --api-key-stdin`);
    return { id: made.memberId, ...made };
  }
}
