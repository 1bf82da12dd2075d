// The operator's entries in the audit log: they name the system's account that ran the command.

import { userInfo } from 'node:os';
import type { AuditAction } from '@envsnap/shared/catalogue/audit-actions';
import { type AuditLog, type AuditOrigin, createAuditLog } from '../audit/service.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import { readDatabaseClock } from '../infra/db/database-clock.ts';
import { createAscendingIdGenerator } from '../infra/ids.ts';

/** Who acts when a command runs. */
export function operatorOrigin(): AuditOrigin {
  return { type: 'operator', account: accountName() };
}

export async function operatorAudit(executor: Executor): Promise<AuditLog> {
  const clock = await readDatabaseClock(executor);
  const newId = createAscendingIdGenerator(clock);
  return createAuditLog(executor, { clock, newId, origin: operatorOrigin() });
}

/** Records what concerns the whole server. */
export async function recordOperation(
  database: Database,
  action: AuditAction,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await database.transact(async (executor) => {
    const log = await operatorAudit(executor);
    log.record(null, action, { type: 'server' }, details);
  });
}

/** Null for a user id without a name, as in containers. */
function accountName(): string | null {
  try {
    return userInfo().username;
  } catch {
    return null;
  }
}
