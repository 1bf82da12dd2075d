// The row of a project's quotas. Changes that only one may make at a time lock it, before any other row of the project.

import { AppError } from '../app-error.ts';
import { defineSql, type NoParams } from './statement.ts';

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

export type QuotasRow = Record<(typeof quotasColumns)[number], number>;

const select = `select ${quotasColumns.join(', ')} from project_quotas where project_id = :projectId`;
export const findQuotas = defineSql<{ projectId: string }, QuotasRow>(select);

/** The same, and nobody else changes or locks the row until the transaction ends. */
export const lockQuotas = defineSql<{ projectId: string }, QuotasRow>(
  ({ lock }) => `${select} ${lock('project_quotas')}`,
);

/** The projects that hold most bytes, files and snapshots together. */
export const findLargestProjects = defineSql<NoParams, { project_id: string; bytes: number }>(
  `select project_id, storage_used_bytes + snapshot_bytes_used as bytes from project_quotas order by bytes desc limit 10`,
);

/** The row, unless the project was deleted after the key was recognised. Errors: `invalid_api_key`. */
export function ofExisting<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('invalid_api_key', 'Invalid API key');
  return row;
}
