// Reads a caller's key and role again, in the transaction of the effect: what was revoked, demoted, deleted or ended while the
// request was under way has no effect any more. docs/specification.md §1.

import type { Operation, Role } from '@envsnap/shared';
import { AppError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type Statement } from '../infra/db/statement.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { Principal } from '../infra/http/request-context.ts';

type FindRole = Statement<{ apiKeyId: string; projectId: string }, { role: Role }>;

const sql =
  'select api_keys.role from api_keys join projects on projects.id = api_keys.project_id ' +
  'where api_keys.id = ? and api_keys.project_id = ? and deleted_at is null and (expires_at is null or expires_at > ?)';

const findRole: FindRole = defineStatement((qb, p, dialect) =>
  qb.raw(sql, [p.apiKeyId, p.projectId, dialect.nowMs()]),
);

/** Nobody revokes the key, changes its role or deletes the project until the transaction ends. */
const findRoleAndHold: FindRole = defineStatement((qb, p, dialect) => {
  // The project comes first, here and below: transactions that lock in one order cannot block each other.
  const locks = dialect.lockTables([
    { table: 'projects', against: 'deletion' },
    { table: 'api_keys', against: 'change' },
  ]);
  return qb.raw(`${sql} ${locks}`, [p.apiKeyId, p.projectId, dialect.nowMs()]);
});

/** The same for what revokes keys itself: one at a time in a project, while no other change is under way there. */
const findRoleAndHoldProject: FindRole = defineStatement((qb, p, dialect) => {
  const locks = dialect.lockTables([
    { table: 'projects', against: 'everything' },
    { table: 'api_keys', against: 'change' },
  ]);
  return qb.raw(`${sql} ${locks}`, [p.apiKeyId, p.projectId, dialect.nowMs()]);
});

/** Nobody ends the session until the transaction ends. */
const holdSession = defineStatement<{ id: string }, { id: string }>((qb, p, dialect) =>
  qb.raw(
    `select id from sessions where id = ? ${dialect.lockTables([{ table: 'sessions', against: 'deletion' }])}`,
    [p.id],
  ),
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
