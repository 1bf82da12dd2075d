// Reads a caller's key and role again, in the transaction of the effect: what was revoked, demoted, deleted or ended while the
// request was under way has no effect any more. docs/specification.md §1.

import type { Operation, Role } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineSql, type Statement } from '../infra/db/statement.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { Principal } from '../infra/http/request-context.ts';

type FindRole = Statement<{ apiKeyId: string; projectId: string }, { role: Role }>;

/** Until the transaction ends, nobody changes the key or deletes the project; with `everything`, changes anything there. */
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
/** For what revokes keys itself: one at a time in a project, while no other change is under way there. */
const findRoleAndHoldProject = defineFindRole('everything');

const holdSession = defineSql<{ id: string }, { id: string }>(
  ({ lock }) => `select id from sessions where id = :id ${lock('sessions', 'deletion')}`,
);

/**
 * Throws what a new request would get, `invalid_api_key` or `role_forbidden`, unless the caller may still do this.
 * Without a principal (bootstrap) there is nothing to check. With `hold`, the executor must be a transaction's: until
 * its end, the answer stays true.
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
