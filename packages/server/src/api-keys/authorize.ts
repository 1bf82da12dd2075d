// Reads a caller's key and role again in the transaction of the change, so that a key that was revoked or demoted during the
// request changes nothing. docs/specification.md §1.

import type { Operation, Role } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql, type Statement } from '../infra/db/statement.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { Principal } from '../infra/http/request-context.ts';

type FindRole = Statement<{ apiKeyId: string; projectId: string }, { role: Role }>;

/** Until the transaction ends, nobody can change the key or delete the project, or with `everything` change anything in it. */
const defineFindRole = (lockOfProject?: 'deletion' | 'everything'): FindRole =>
  defineSql(({ lock, nowMs }) => {
    // The project comes first: transactions that lock in one order cannot block each other.
    const locks = lockOfProject ? `${lock('projects', lockOfProject)} ${lock('api_keys', 'change')}` : '';
    return `select api_keys.role from api_keys join projects on projects.id = api_keys.project_id
    where api_keys.id = :apiKeyId and api_keys.project_id = :projectId and deleted_at is null
      and (expires_at is null or expires_at > ${nowMs()}) ${locks}`;
  });
const findRole = defineFindRole();
const findRoleAndHold = defineFindRole('deletion');
/** For changes that revoke keys: one at a time in a project, while no other change is in progress there. */
const findRoleAndHoldProject = defineFindRole('everything');

const holdSession = defineSql<{ id: string }, { id: string }>(
  ({ lock }) => `select id from sessions where id = :id ${lock('sessions', 'deletion')}`,
);

/**
 * Throws the error of a new request, `invalid_api_key` or `role_forbidden`, unless the caller may still do this.
 * Without a principal (bootstrap) it checks nothing. With `hold`, the executor must be a transaction's, and the result
 * stays true until its end.
 */
export async function authorize(
  executor: Executor,
  principal: Principal | undefined,
  operation: Operation,
  { hold }: { hold: boolean },
): Promise<void> {
  if (!principal) return;
  const statement = hold ? (operation.revokes ? findRoleAndHoldProject : findRoleAndHold) : findRole;
  const { apiKeyId, projectId, sessionId } = principal;
  const row = await executor.get(statement, { apiKeyId, projectId });
  const isEnded = sessionId !== undefined && !(await executor.get(holdSession, { id: sessionId }));
  if (!row || isEnded) throw new AppError('invalid_api_key', 'Invalid API key');
  checkRole(operation, row.role);
}
