// The row of a project's quotas. It stands for the project: what only one may do at a time locks it, and before other rows.

import { AppError } from '../app-error.ts';
import { defineStatement } from './statement.ts';

/** What a project may hold, and what it holds. */
export interface QuotasRow {
  max_snapshots: number;
  max_runs: number;
  max_files: number;
  max_storage_bytes: number;
  max_webhooks: number;
  max_api_keys: number;
  max_requests_per_minute: number;
  max_requests_per_day: number;
  snapshots_used: number;
  runs_used: number;
  files_used: number;
  storage_used_bytes: number;
  /** The key that captures make fingerprints with; null for a project that has none yet. */
  fingerprint_key_id: string | null;
}

export const findQuotas = defineStatement<{ projectId: string }, QuotasRow>((qb, p) =>
  qb('project_quotas').select('*').where('project_id', p.projectId),
);

/** The same, and nobody else changes or locks the row until the transaction ends. */
export const lockQuotas = defineStatement<{ projectId: string }, QuotasRow>((qb, p, dialect) =>
  dialect.lockRows(qb('project_quotas').select('*').where('project_id', p.projectId)),
);

/** The row, unless the project was deleted after the key was recognised. Errors: `invalid_api_key`. */
export function ofExisting<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('invalid_api_key', 'Invalid API key');
  return row;
}
