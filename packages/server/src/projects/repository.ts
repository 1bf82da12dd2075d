// Rows of projects and their quotas.

import type { Role } from '@envsnap/shared';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { deletedAtOnce } from './deletion-repository.ts';

export interface ProjectRow {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
  updated_at: number;
}

/** What a project may hold and how often its keys may call. */
export interface QuotaLimits {
  readonly maxSnapshots: number;
  /** Snapshots of runs, which do not count among those; the oldest leave. */
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

const projectColumns = ['projects.id', 'name', 'description', 'projects.created_at', 'updated_at'];

export const insertProject = defineStatement<ProjectRow>((qb, p) => qb('projects').insert(p));

export const insertQuotas = defineStatement<QuotaLimits & { projectId: string; payer: string }>((qb, p) =>
  qb('project_quotas').insert({
    project_id: p.projectId,
    payer: p.payer,
    max_snapshots: p.maxSnapshots,
    max_runs: p.maxRuns,
    max_snapshot_bytes: p.maxSnapshotBytes,
    max_files: p.maxFiles,
    max_storage_bytes: p.maxStorageBytes,
    max_webhooks: p.maxWebhooks,
    max_api_keys: p.maxApiKeys,
    max_requests_per_minute: p.maxRequestsPerMinute,
    max_requests_per_day: p.maxRequestsPerDay,
  }),
);

export const findProject = defineStatement<{ id: string }, ProjectRow>((qb, p) =>
  qb('projects').select(projectColumns).where('id', p.id).whereNull('deleted_at'),
);

export const listForKey = defineStatement<{ apiKeyId: string }, ProjectRow & { role: Role }>((qb, p) =>
  qb('projects')
    .join('api_keys', 'api_keys.project_id', 'projects.id')
    .select(...projectColumns, 'role')
    .where('api_keys.id', p.apiKeyId)
    .whereNull('deleted_at'),
);

export const countContents = defineStatement<
  { id: string },
  { snapshots: number; files: number; members: number }
>((qb, p) =>
  qb('project_quotas')
    .select(
      qb.raw('snapshots_used + runs_used as snapshots'),
      'files_used as files',
      qb('memberships').count('*').where('project_id', p.id).as('members'),
    )
    .where('project_id', p.id),
);

const lockCreation = defineStatement((qb, _p, dialect) => dialect.lockRows(qb('master_keys').select('id')));

const countProjects = defineStatement<Record<never, never>, { total: number }>((qb) =>
  qb('projects').count({ total: '*' }).whereNull('deleted_at'),
);

/** The number of projects; nobody else adds one that counts them until the transaction ends. */
export async function countForCreation(executor: Executor): Promise<number> {
  await executor.all(lockCreation);
  return (await executor.get(countProjects))?.total ?? 0;
}

export const lockProject = defineStatement<{ id: string }, { id: string }>((qb, p, dialect) =>
  dialect.lockRows(qb('projects').select('id').where('id', p.id).whereNull('deleted_at')),
);

const markDeleted = defineStatement<{ id: string; nowMs: number }>((qb, p) =>
  qb('projects').where('id', p.id).update({ name: '', description: null, deleted_at: p.nowMs }),
);

const switchWebhooksOff = defineStatement<{ id: string }>((qb, p) =>
  qb('webhooks').where('project_id', p.id).update({ active: false }),
);

const deleteContents = deletedAtOnce.map((table) =>
  defineStatement<{ id: string }>((qb, p) => qb(table).where('project_id', p.id).delete()),
);

/**
 * Deletes the project: its keys open nothing and recognise nobody from the commit on, and no event is delivered any
 * more. The other rows that belong to it are left for later.
 */
export async function removeProject(executor: Executor, id: string, nowMs: number): Promise<void> {
  await executor.run(markDeleted, { id, nowMs });
  for (const statement of deleteContents) await executor.run(statement, { id });
  await executor.run(switchWebhooksOff, { id });
}
