// `envsnap-server quota get|set`: a project's quotas and rate limits. docs/specification.md §7.

import { OperatorError, StartupError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, lockQuotas } from '../infra/db/project-quotas.ts';
import { defineSql, type NoParams } from '../infra/db/statement.ts';
import { operatorAudit } from './operator-audit.ts';
import {
  loadOperatorConfig,
  type OperatorFlags,
  parseNumber,
  parseProjectId,
  withDatabase,
} from './operator-session.ts';
import { columns, count, print } from './print.ts';
import { quotaLimits } from './quota-limits.ts';

/** Prints a project's limits and what it uses. Errors: OperatorError, StartupError. */
export async function runQuotaGet(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), (database) => printQuotas(database, id, flags));
}

/** Changes limits of some projects or of all; they apply from the next request on. Errors: OperatorError, StartupError. */
export async function runQuotaSet(
  projectIds: readonly string[],
  flags: OperatorFlags & { all?: boolean } & Readonly<Record<string, unknown>>,
): Promise<void> {
  if (flags.all ? projectIds.length > 0 : projectIds.length === 0)
    throw new StartupError('name the projects by their ids, or give --all for every project');
  const ids = [...new Set(projectIds.map((id) => parseProjectId(id)))];
  const changes = quotaLimits.flatMap(({ flag, column, least, max }) => {
    const name = camelCase(flag.slice(2));
    const text = flags[name];
    return text === undefined ? [] : [{ name, column, to: parseNumber(flag, String(text), least, max) }];
  });
  if (changes.length === 0) {
    const names = quotaLimits.map(({ flag }) => flag);
    throw new StartupError(`nothing to set: give at least one of ${names.join(', ')}`);
  }
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    const there = new Set((await database.all(listProjectIds)).map(({ id }) => id));
    for (const id of ids) existing(there.has(id) ? {} : undefined, id);
    const all = flags.all ? [...there] : ids;
    // One transaction for each project, so that no request waits for all of them.
    for (const id of all) await database.transact((executor) => setQuotas(executor, id, changes));
    const [only = ''] = all;
    if (projectIds.length === 1) await printQuotas(database, only, flags);
    else print(flags, { changed: all }, [`changed the limits of ${count(all.length, 'project')}`]);
  });
}

const listProjectIds = defineSql<NoParams, { id: string }>(
  'select id from projects where deleted_at is null order by id',
);

async function setQuotas(
  executor: Executor,
  id: string,
  given: readonly { readonly name: string; readonly column: string; readonly to: number }[],
): Promise<void> {
  const before: Readonly<Record<string, number>> | undefined = await executor.get(lockQuotas, {
    projectId: id,
  });
  // The project was deleted a moment ago.
  if (!before) return;
  const changes = Object.fromEntries(given.map(({ column, to }) => [column, to]));
  await executor.run(executor.dialect.builder('project_quotas').where('project_id', id).update(changes));
  const details = given.map(({ name, column, to }) => [name, { from: before[column], to }]);
  const log = await operatorAudit(executor);
  log.record(id, 'quota.changed', { type: 'project', id }, Object.fromEntries(details));
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
