// The row of a project's quotas. It stands for the project: what only one may do at a time locks it, and before other rows.

import { AppError } from '../app-error.ts';
import { defineStatement } from './statement.ts';

/** The row's columns, to be selected by name: `*` in a prepared statement breaks once a later release adds a column. */
export const quotasColumns = [
  'max_snapshots',
  'max_runs',
  'max_snapshot_bytes',
  'max_files',
  'max_storage_bytes',
  'max_webhooks',
  'max_api_keys',
  'max_requests_per_minute',
  'max_requests_per_day',
  'snapshots_used',
  'runs_used',
  'snapshot_bytes_used',
  'files_used',
  'storage_used_bytes',
] as const;

/** What a project may hold, and what it holds. */
export type QuotasRow = Record<(typeof quotasColumns)[number], number>;

export const findQuotas = defineStatement<{ projectId: string }, QuotasRow>((qb, p) =>
  qb('project_quotas').select(quotasColumns).where('project_id', p.projectId),
);

/** The same, and nobody else changes or locks the row until the transaction ends. */
export const lockQuotas = defineStatement<{ projectId: string }, QuotasRow>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select(quotasColumns).where('project_id', p.projectId)),
);

/** The row, unless the project was deleted after the key was recognised. Errors: `invalid_api_key`. */
export function ofExisting<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('invalid_api_key', 'Invalid API key');
  return row;
}
