// Team members. docs/specification.md §2, §3.

import * as z from 'zod';
import { issuedKey, newKeyBody } from './api-key.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const member = p.object('Member', {
  id: p.uuid.describe('Id of the member (`memberId` in paths).'),
  apiKeyId: p.uuid.describe("Id of the member's key."),
  keyLabel: p.stringOrNull("Label of the member's key."),
  role: p.role.describe('Role of the member.'),
  invitedBy: p.orNull(p.uuid, 'apiKeyId of the inviter; null for the first owner.'),
  joinedAt: p.timestamp.describe('When the member joined.'),
});
export type Member = z.infer<typeof member>;

const projectId = p.uuid.describe('Id of the project.');
const projectParams = z.object({ projectId });
const memberParams = z.object({ projectId, memberId: p.uuid.describe('Id of the member.') });

export const teamOperations = defineOperations('team', {
  listMembers: {
    route: 'GET /machine/team/:projectId/members',
    summary: 'List the members of a project, in the order in which they joined',
    access: 'any',
    projectParam: 'projectId',
    params: projectParams,
    query: p.partQuery,
    response: p.partInfo.extend({ members: p.list(member, 'The members, including the owner.') }),
    answer: 'The members of the project.',
    errors: ['not_a_member', 'project_not_found'],
  },

  inviteMember: {
    route: 'POST /machine/team/:projectId/members',
    summary: 'Invite a member and create their key',
    access: ['owner', 'admin'],
    projectParam: 'projectId',
    params: projectParams,
    body: newKeyBody,
    response: issuedKey.extend({
      memberId: p.uuid.describe('Id of the new member.'),
      apiKeyId: p.uuid.describe("Id of the member's key."),
      message: p.string('A reminder to pass the key on.'),
    }),
    status: 201,
    answer: 'The new member and their key. The key is shown only once.',
    idempotency: 'secret',
    errors: ['not_a_member', 'project_not_found', 'api_key_not_found', 'key_quota_exceeded'],
  },

  updateMember: {
    route: 'PATCH /machine/team/:projectId/members/:memberId',
    summary: "Change a member's role",
    access: ['owner', 'admin'],
    projectParam: 'projectId',
    params: memberParams,
    body: z.object({ role: p.assignableRole.describe('The new role.') }),
    response: p.success.extend({
      memberId: p.uuid.describe('Id of the member.'),
      newRole: p.assignableRole.describe('The new role.'),
    }),
    answer: 'The role was changed, with immediate effect.',
    revokes: true,
    errors: ['not_a_member', 'project_not_found', 'member_not_found', 'owner_protected'],
  },

  removeMember: {
    route: 'DELETE /machine/team/:projectId/members/:memberId',
    summary: 'Remove a member and revoke their key',
    access: ['owner', 'admin'],
    projectParam: 'projectId',
    params: memberParams,
    response: p.success,
    answer: 'The member was removed and the key revoked.',
    isSweeping: true,
    revokes: true,
    errors: ['not_a_member', 'project_not_found', 'member_not_found', 'owner_protected', 'own_key_protected'],
  },
});
