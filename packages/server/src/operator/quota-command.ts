// `envsnap-server quota get|set`: a project's quotas and rate limits. docs/specification.md §7.

import { OperatorError, StartupError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, lockQuotas } from '../infra/db/project-quotas.ts';
import { operatorAudit } from './operator-audit.ts';
import {
  loadOperatorConfig,
  type OperatorFlags,
  parseNumber,
  parseProjectId,
  withDatabase,
} from './operator-session.ts';
import { columns, print } from './print.ts';
import { quotaLimits } from './quota-limits.ts';

/** Prints a project's limits and what it uses. Errors: OperatorError, StartupError. */
export async function runQuotaGet(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), (database) => printQuotas(database, id, flags));
}

/** Changes limits; they count from the next request on. Errors: OperatorError, StartupError. */
export async function runQuotaSet(
  projectId: string,
  flags: OperatorFlags & Readonly<Record<string, unknown>>,
): Promise<void> {
  const id = parseProjectId(projectId);
  const given = quotaLimits.flatMap(({ flag, column, least, max }) => {
    const name = camelCase(flag.slice(2));
    const text = flags[name];
    return text === undefined ? [] : [{ name, column, to: parseNumber(flag, String(text), least, max) }];
  });
  if (given.length === 0) {
    const names = quotaLimits.map(({ flag }) => flag);
    throw new StartupError(`nothing to set: give at least one of ${names.join(', ')}`);
  }
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    await database.transact(async (executor) => {
      const before = existing(await executor.get(lockQuotas, { projectId: id }), id);
      const changes = Object.fromEntries(given.map(({ column, to }) => [column, to]));
      await executor.run(executor.dialect.builder('project_quotas').where('project_id', id).update(changes));
      const details = given.map(({ name, column, to }) => [name, { from: before[column], to }]);
      const target = { type: 'project', id } as const;
      operatorAudit(executor).record(id, 'quota.changed', target, Object.fromEntries(details));
    });
    await printQuotas(database, id, flags);
  });
}

async function printQuotas(executor: Executor, projectId: string, flags: OperatorFlags): Promise<void> {
  const row = existing(await executor.get(findQuotas, { projectId }), projectId);
  const result = {
    projectId,
    quotas: Object.fromEntries(quotaLimits.map(({ column }) => [camelCase(column), row[column]])),
    used: Object.fromEntries(
      quotaLimits.flatMap(({ used }) => (used ? [[camelCase(used.replace('_used', '')), row[used]]] : [])),
    ),
  };
  const lines = quotaLimits.map(({ label, column, used }) => [
    label,
    `${used ? row[used] : ''}`,
    `${row[column]}`,
  ]);
  print(flags, result, columns([['', 'used', 'limit'], ...lines]));
}

function existing(row: Readonly<Record<string, number>> | undefined, projectId: string) {
  if (row) return row;
  throw new OperatorError(`there is no project ${projectId}`, 4);
}

function camelCase(name: string): string {
  return name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());
}
