// Rows of members: a membership with its key's label and role.

import type { AssignableRole, Role } from '@envsnap/shared';
import { defineSql } from '../infra/db/statement.ts';

export interface MemberRow {
  id: string;
  api_key_id: string;
  key_label: string | null;
  role: Role;
  invited_by: string | null;
  joined_at: number;
}

const select = `select memberships.id, api_key_id, label as key_label, role, invited_by, joined_at
  from memberships join api_keys on api_keys.id = api_key_id where memberships.project_id = :projectId`;

export const listMembers = defineSql<{ projectId: string }, MemberRow>(
  `${select} order by joined_at, memberships.id`,
);

export const findMember = defineSql<{ projectId: string; id: string }, MemberRow>(
  ({ lock }) => `${select} and memberships.id = :id ${lock('memberships')} ${lock('api_keys')}`,
);

export const setRole = defineSql<{ apiKeyId: string; role: AssignableRole }>(
  'update api_keys set role = :role where id = :apiKeyId',
);
