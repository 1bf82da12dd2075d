// Binds the operations of members to their service.

import { operations } from '@envsnap/shared';
import type { Mount } from '../infra/http/mount.ts';
import { partOf } from '../infra/list-parts.ts';
import type { Work } from '../work.ts';

/** Message for a key that is for somebody else. docs/specification.md §3. */
const shareKeyMessage = 'Share this API key with the invited member; it will not be shown again.';

export function mountTeam(mount: Mount<Work>): void {
  mount(operations.listMembers, async ({ params, query, work }) => {
    const { part, info } = partOf(await work.read.team.list(params.projectId), query);
    return { members: part, ...info };
  });

  mount(operations.inviteMember, async ({ body, principal, work }) =>
    work.transact(async ({ team }) => {
      const { label, role } = body;
      const { memberId, apiKeyId, apiKey, expiresAt } = await team.invite(principal, body);
      return { memberId, apiKeyId, apiKey, label, role, expiresAt, message: shareKeyMessage };
    }),
  );

  mount(operations.updateMember, async ({ params, body, work }) => {
    await work.transact(({ team }) => team.changeRole(params.projectId, params.memberId, body.role));
    return { success: true as const, memberId: params.memberId, newRole: body.role };
  });

  mount(operations.removeMember, async ({ params, principal, work }) => {
    await work.transact(({ team }) => team.remove(principal, params.memberId));
    return { success: true as const };
  });
}
