// When the newest backup was made, as the audit log of the server has it.

import type { Executor } from '../infra/db/database.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';

const findLastBackup = defineSql<NoParams, { created_at: number }>(
  `select created_at from audit_log where project_id is null and action = 'backup.created'
  order by created_at desc limit 1`,
);

/** Milliseconds since 1970; 0 when the log knows of none. */
export async function findLastBackupMs(executor: Executor): Promise<number> {
  return (await executor.get(findLastBackup))?.created_at ?? 0;
}
