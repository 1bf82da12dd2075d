// Rows of members: a membership with its key's label and role.

import type { AssignableRole, Role } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
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

const list = defineStatement<{ projectId: string }, MemberRow>((qb, p) =>
  qb('memberships')
    .join('api_keys', 'api_keys.id', 'memberships.api_key_id')
    .select(columns)
    .where('memberships.project_id', p.projectId)
    .orderBy(['joined_at', 'memberships.id']),
);

const find = defineStatement<{ projectId: string; id: string }, MemberRow>((qb, p, dialect) =>
  dialect.lockRows(
    qb('memberships')
      .join('api_keys', 'api_keys.id', 'memberships.api_key_id')
      .select(columns)
      .where({ 'memberships.id': p.id, 'memberships.project_id': p.projectId }),
  ),
);

const setRole = defineStatement<{ apiKeyId: string; role: AssignableRole }>((qb, p) =>
  qb('api_keys').where('id', p.apiKeyId).update({ role: p.role }),
);

/** Queries of members. */
export function createMemberRepository(executor: Executor) {
  return {
    /** The longest-standing first. */
    list: (projectId: string) => executor.all(list, { projectId }),
    /** Locks the member's rows in a transaction. */
    find: (projectId: string, id: string) => executor.get(find, { projectId, id }),
    setRole: (apiKeyId: string, role: AssignableRole) => executor.run(setRole, { apiKeyId, role }),
  };
}
