// Rows of projects and their quotas.

import type { Role } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql, type NoParams } from '../infra/db/statement.ts';
import { deletedAtOnce } from './deletion-repository.ts';

export interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
  updated_at: number;
}

export interface QuotaLimits {
  readonly maxSnapshots: number;
  /** Snapshots of runs, which count separately; the oldest are replaced. */
  readonly maxRuns: number;
  /** Bytes of all snapshots and runs. */
  readonly maxSnapshotBytes: number;
  readonly maxFiles: number;
  readonly maxStorageBytes: number;
  readonly maxWebhooks: number;
  readonly maxApiKeys: number;
  readonly maxRequestsPerMinute: number;
  readonly maxRequestsPerDay: number;
}

const columns = 'projects.id, name, description, projects.created_at, updated_at';

export const insertProject = defineInsert<ProjectRow>('projects');

export const insertQuotas = defineSql<QuotaLimits & { projectId: string; payer: string }>(
  `insert into project_quotas (
    project_id, payer, max_snapshots, max_runs, max_snapshot_bytes, max_files, max_storage_bytes, max_webhooks,
    max_api_keys, max_requests_per_minute, max_requests_per_day
  ) values (
    :projectId, :payer, :maxSnapshots, :maxRuns, :maxSnapshotBytes, :maxFiles, :maxStorageBytes, :maxWebhooks,
    :maxApiKeys, :maxRequestsPerMinute, :maxRequestsPerDay
  )`,
);

export const findProject = defineSql<{ id: string }, ProjectRow>(
  `select ${columns} from projects where id = :id and deleted_at is null`,
);

export const listForKey = defineSql<{ apiKeyId: string }, ProjectRow & { role: Role }>(
  `select ${columns}, role from projects join api_keys on api_keys.project_id = projects.id
  where api_keys.id = :apiKeyId and deleted_at is null`,
);

export const countContents = defineSql<{ id: string }, { snapshots: number; files: number; members: number }>(
  `select snapshots_used + runs_used as snapshots, files_used as files,
    (select count(*) from memberships where project_id = :id) as members
  from project_quotas where project_id = :id`,
);

const lockCreation = defineSql<NoParams, { id: string }>(
  ({ lock }) => `select id from master_keys ${lock('master_keys')}`,
);

const countProjects = defineSql<NoParams, { total: number }>(
  'select count(*) as total from projects where deleted_at is null',
);

/** The number of projects. No other limited creation can run until the transaction ends. */
export async function countForCreation(executor: Executor): Promise<number> {
  await executor.all(lockCreation);
  return (await executor.get(countProjects))?.total ?? 0;
}

export const lockProject = defineSql<{ id: string }, { id: string }>(
  ({ lock }) => `select id from projects where id = :id and deleted_at is null ${lock('projects')}`,
);

const markDeleted = defineSql<{ id: string; nowMs: number }>(
  "update projects set name = '', description = null, deleted_at = :nowMs where id = :id",
);

const switchWebhooksOff = defineSql<{ id: string }>(
  'update webhooks set active = false where project_id = :id',
);

const deleteContents = deletedAtOnce.map((table) =>
  defineSql<{ id: string }>(`delete from ${table} where project_id = :id`),
);

/**
 * Deletes the project: from the commit on, its keys are invalid and no event is delivered. Its other rows are left for the
 * deletion worker.
 */
export async function removeProject(executor: Executor, id: string, nowMs: number): Promise<void> {
  await executor.run(markDeleted, { id, nowMs });
  for (const statement of deleteContents) await executor.run(statement, { id });
  await executor.run(switchWebhooksOff, { id });
}
