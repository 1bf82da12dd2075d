// `envsnap-server quota get|set`: a project's quotas and rate limits. docs/specification.md §7.

import { StartupError } from '../infra/app-error.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas } from '../infra/db/project-quotas.ts';
import { parseNumber, parseProjectId } from './arguments.ts';
import { operatorAudit } from './operator-audit.ts';
import { OperatorError } from './operator-error.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';
import { quotaLimits } from './quota-limits.ts';

type LimitName = keyof typeof quotaLimits;

/** Prints a project's limits and what it uses. Errors: OperatorError, StartupError. */
export async function runQuotaGet(projectId: string, flags: OperatorFlags): Promise<void> {
  const id = parseProjectId(projectId);
  await withDatabase(loadOperatorConfig(flags), (database) => printQuotas(database, id, flags));
}

/** Changes limits; they count from the next request on. Errors: OperatorError, StartupError. */
export async function runQuotaSet(
  projectId: string,
  flags: OperatorFlags & { [Name in LimitName]?: string },
): Promise<void> {
  const id = parseProjectId(projectId);
  const changes: Record<string, number> = {};
  for (const name of Object.keys(quotaLimits) as LimitName[]) {
    const text = flags[name];
    const { flag, column, max } = quotaLimits[name];
    const least = name.startsWith('requests') || name === 'maxRuns' ? 1 : 0;
    if (text !== undefined) changes[column] = parseNumber(flag, text, least, max);
  }
  if (Object.keys(changes).length === 0) {
    const names = Object.values(quotaLimits).map(({ flag }) => flag);
    throw new StartupError(`nothing to set: give at least one of ${names.join(', ')}`);
  }
  await withDatabase(loadOperatorConfig(flags), async (database) => {
    await database.transact((executor) => changeQuotas(executor, id, changes));
    await printQuotas(database, id, flags);
  });
}

async function changeQuotas(
  executor: Executor,
  projectId: string,
  changes: Readonly<Record<string, number>>,
): Promise<void> {
  const { builder } = executor.dialect;
  const quotas = builder('project_quotas').where('project_id', projectId);
  const before = await executor.get<Record<string, number>>(
    executor.dialect.lockRows(quotas.clone().select('*')),
  );
  if (!before) throw new OperatorError(`there is no project ${projectId}`, 4);
  await executor.run(quotas.clone().update(changes));
  const details = Object.entries(quotaLimits)
    .filter(([, { column }]) => changes[column] !== undefined)
    .map(([name, { column }]) => [name, { from: before[column], to: changes[column] }]);
  operatorAudit(executor).record({
    projectId,
    action: 'quota.changed',
    target: { type: 'project', id: projectId },
    details: Object.fromEntries(details),
  });
}

async function printQuotas(executor: Executor, projectId: string, flags: OperatorFlags): Promise<void> {
  const row = await executor.get(findQuotas, { projectId });
  if (!row) throw new OperatorError(`there is no project ${projectId}`, 4);
  const result = {
    projectId,
    quotas: {
      maxSnapshots: row.max_snapshots,
      maxRuns: row.max_runs,
      maxSnapshotBytes: row.max_snapshot_bytes,
      maxFiles: row.max_files,
      maxStorageBytes: row.max_storage_bytes,
      maxWebhooks: row.max_webhooks,
      maxApiKeys: row.max_api_keys,
      maxRequestsPerMinute: row.max_requests_per_minute,
      maxRequestsPerDay: row.max_requests_per_day,
    },
    used: {
      snapshots: row.snapshots_used,
      runs: row.runs_used,
      snapshotBytes: row.snapshot_bytes_used,
      files: row.files_used,
      storageBytes: row.storage_used_bytes,
    },
  };
  const lines = columns([
    ['', 'used', 'limit'],
    ['snapshots', `${row.snapshots_used}`, `${row.max_snapshots}`],
    ['runs', `${row.runs_used}`, `${row.max_runs}`],
    ['snapshots and runs, bytes', `${row.snapshot_bytes_used}`, `${row.max_snapshot_bytes}`],
    ['files', `${row.files_used}`, `${row.max_files}`],
    ['storage, bytes', `${row.storage_used_bytes}`, `${row.max_storage_bytes}`],
    ['webhooks', '', `${row.max_webhooks}`],
    ['API keys', '', `${row.max_api_keys}`],
    ['requests a minute', '', `${row.max_requests_per_minute}`],
    ['requests a day', '', `${row.max_requests_per_day}`],
  ]);
  print(flags, result, lines);
}
