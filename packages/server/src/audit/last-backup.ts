// When the newest backup was made, as the audit log of the server has it.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';

const findLastBackup = defineStatement<NoParams, { created_at: number }>((qb) =>
  qb('audit_log')
    .select('created_at')
    .whereNull('project_id')
    .where('action', 'backup.created')
    .orderBy('created_at', 'desc')
    .limit(1),
);

/** Milliseconds since 1970; 0 when the log knows of none. */
export async function findLastBackupMs(executor: Executor): Promise<number> {
  return (await executor.get(findLastBackup))?.created_at ?? 0;
}
