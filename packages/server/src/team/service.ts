// Members of a project: inviting, changing roles, removing. docs/specification.md §2, §3.

import type { AssignableRole, Member } from '@envsnap/shared';
import type { ApiKeyService, IssuedKey } from '../api-keys/service.ts';
import type { AuditLog } from '../audit/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import type { Principal } from '../infra/http/request-context.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { findMember, listMembers, type MemberRow, setRole } from './repository.ts';

interface TeamServiceDeps {
  readonly audit: AuditLog;
  readonly apiKeys: ApiKeyService;
  readonly outbox: Outbox;
}

export function createTeamService(executor: Executor, { audit, apiKeys, outbox }: TeamServiceDeps) {
  async function get(projectId: string, memberId: string): Promise<MemberRow> {
    const row = await executor.get(findMember, { projectId, id: memberId });
    if (!row) throw new AppError('member_not_found', 'Member not found');
    return row;
  }

  return {
    async list(projectId: string): Promise<Member[]> {
      return (await executor.all(listMembers, { projectId })).map(toAnswer);
    },

    /** Makes a key with its membership for somebody else, with an event. Errors: those of `ApiKeyService.issue`. */
    async invite(
      principal: Principal,
      invitation: { label: string | null; role: AssignableRole; expiresAt?: string | null | undefined },
    ): Promise<IssuedKey> {
      const { projectId, apiKeyId: invitedBy } = principal;
      const issued = await apiKeys.issue({ projectId, invitedBy, ...invitation });
      await outbox.record(projectId, 'member.invited', {
        memberId: issued.memberId,
        role: invitation.role,
        invitedBy,
      });
      audit.record(
        projectId,
        'member.invited',
        { type: 'member', id: issued.memberId, name: invitation.label },
        {
          role: invitation.role,
          apiKeyId: issued.apiKeyId,
          ...(issued.expiresAt !== null && { expiresAt: issued.expiresAt }),
        },
      );
      return issued;
    },

    async changeRole(projectId: string, memberId: string, role: AssignableRole): Promise<void> {
      const member = await get(projectId, memberId);
      if (member.role === 'owner') throw new AppError('owner_protected', "Cannot change the owner's role");
      await executor.run(setRole, { apiKeyId: member.api_key_id, role });
      audit.record(
        projectId,
        'member.role_changed',
        { type: 'member', id: memberId, name: member.key_label },
        { from: member.role, to: role, apiKeyId: member.api_key_id },
      );
    },

    /** Removes a member and revokes their key. Errors: `member_not_found`, `owner_protected`, `own_key_protected`. */
    async remove(principal: Principal, memberId: string): Promise<void> {
      const member = await get(principal.projectId, memberId);
      if (member.role === 'owner') throw new AppError('owner_protected', 'Cannot remove the project owner');
      if (member.api_key_id === principal.apiKeyId) {
        throw new AppError('own_key_protected', 'Cannot remove yourself from the project');
      }
      await apiKeys.remove(member.api_key_id);
      audit.record(
        principal.projectId,
        'member.removed',
        { type: 'member', id: memberId, name: member.key_label },
        { role: member.role, apiKeyId: member.api_key_id },
      );
      await outbox.record(principal.projectId, 'member.removed', { memberId, apiKeyId: member.api_key_id });
    },
  };
}
