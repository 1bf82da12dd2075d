// Team members. Spec: Team members; Decisions §2, §3.

import * as z from 'zod';
import { apiKeySecret, newKeyBody } from './api-key.ts';
import { defineOperation } from './operation.ts';
import { assignableRole, role, success, timestamp, uuid } from './primitives.ts';

export const member = z.object({
  id: uuid,
  apiKeyId: uuid,
  keyLabel: z.string().nullable(),
  role,
  invitedBy: uuid.nullable().describe('apiKeyId of the inviter; null for the first owner.'),
  joinedAt: timestamp,
});
export type Member = z.infer<typeof member>;

const projectParams = z.object({ projectId: uuid });
const memberParams = z.object({ projectId: uuid, memberId: uuid });

export const listMembers = defineOperation({
  name: 'listMembers',
  group: 'team',
  method: 'GET',
  path: '/machine/team/:projectId/members',
  summary: 'List the members of a project, the oldest first',
  access: 'any',
  projectParam: 'projectId',
  params: projectParams,
  response: z.object({ members: z.array(member) }),
  status: 200,
  errors: ['not_a_member', 'project_not_found'],
});

export const inviteMember = defineOperation({
  name: 'inviteMember',
  group: 'team',
  method: 'POST',
  path: '/machine/team/:projectId/members',
  summary: 'Invite a member with a fresh key',
  access: ['owner', 'admin'],
  projectParam: 'projectId',
  params: projectParams,
  body: newKeyBody,
  response: z.object({
    memberId: uuid,
    apiKeyId: uuid,
    apiKey: apiKeySecret,
    label: z.string().nullable(),
    role,
    message: z.string(),
  }),
  status: 201,
  idempotency: 'secret',
  errors: ['not_a_member', 'project_not_found', 'key_quota_exceeded'],
});

export const updateMember = defineOperation({
  name: 'updateMember',
  group: 'team',
  method: 'PATCH',
  path: '/machine/team/:projectId/members/:memberId',
  summary: "Change a member's role",
  access: ['owner', 'admin'],
  projectParam: 'projectId',
  params: memberParams,
  body: z.object({ role: assignableRole }),
  response: success.extend({ memberId: uuid, newRole: assignableRole }),
  status: 200,
  revokes: true,
  errors: ['not_a_member', 'project_not_found', 'member_not_found', 'owner_protected'],
});

export const removeMember = defineOperation({
  name: 'removeMember',
  group: 'team',
  method: 'DELETE',
  path: '/machine/team/:projectId/members/:memberId',
  summary: 'Remove a member and revoke their key',
  access: ['owner', 'admin'],
  projectParam: 'projectId',
  params: memberParams,
  response: success,
  status: 200,
  revokes: true,
  errors: ['not_a_member', 'project_not_found', 'member_not_found', 'owner_protected', 'own_key_protected'],
});
