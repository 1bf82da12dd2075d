// Rows of members: a membership with its key's label and role.

import type { AssignableRole, Role } from '@envsnap/shared';
import { defineStatement } from '../infra/db/statement.ts';

export interface MemberRow {
  id: string;
  api_key_id: string;
  label: string | null;
  role: Role;
  invited_by: string | null;
  joined_at: number;
}

const columns = ['memberships.id', 'api_key_id', 'label', 'role', 'invited_by', 'joined_at'];

/** The longest-standing first. */
export const listMembers = defineStatement<{ projectId: string }, MemberRow>((qb, p) =>
  qb('memberships')
    .join('api_keys', 'api_keys.id', 'memberships.api_key_id')
    .select(columns)
    .where('memberships.project_id', p.projectId)
    .orderBy(['joined_at', 'memberships.id']),
);

/** Locks the member's rows in a transaction. */
export const findMember = defineStatement<{ projectId: string; id: string }, MemberRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('memberships')
      .join('api_keys', 'api_keys.id', 'memberships.api_key_id')
      .select(columns)
      .where({ 'memberships.id': p.id, 'memberships.project_id': p.projectId }),
  ),
);

export const setRole = defineStatement<{ apiKeyId: string; role: AssignableRole }>((qb, p) =>
  qb('api_keys').where('id', p.apiKeyId).update({ role: p.role }),
);
