// What the operator's commands read of projects, the oldest first. Those that are being deleted are gone already.

import type { Knex } from 'knex';
import type { ApiKeyRow } from '../api-keys/repository.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineStatement, type NoParams } from '../infra/db/statement.ts';
import { OperatorError } from './operator-error.ts';

/** A project with what it uses; times in milliseconds since the epoch. */
export interface OperatedProject {
  id: string;
  name: string;
  description: string | null;
  created_at: number;
  snapshots_used: number;
  runs_used: number;
  files_used: number;
  storage_used_bytes: number;
  api_keys: number;
}

interface OperatedWebhook {
  id: string;
  url: string;
  active: boolean;
  failing_since: number | null;
  deactivation_reason: string | null;
}

const selectProjects = (qb: Knex) =>
  qb('projects')
    .join('project_quotas', 'project_quotas.project_id', 'projects.id')
    .select(
      ...['projects.id', 'projects.name', 'projects.description', 'projects.created_at'],
      ...['snapshots_used', 'runs_used', 'files_used', 'storage_used_bytes'],
      qb('api_keys').count('*').where('api_keys.project_id', qb.ref('projects.id')).as('api_keys'),
    )
    .whereNull('projects.deleted_at');

export const listProjects = defineStatement<NoParams, OperatedProject>((qb) =>
  selectProjects(qb).orderBy(['projects.created_at', 'projects.id']),
);

const findProject = defineStatement<{ id: string }, OperatedProject>((qb, p) =>
  selectProjects(qb).where('projects.id', p.id),
);

export const listKeys = defineStatement<{ projectId: string }, ApiKeyRow>((qb, p) =>
  qb('api_keys')
    .select('id', 'label', 'role', 'prefix', 'created_at', 'last_used_at', 'expires_at')
    .where('project_id', p.projectId)
    .orderBy(['created_at', 'id']),
);

export const listWebhooks = defineStatement<{ projectId: string }, OperatedWebhook>((qb, p) =>
  qb('webhooks')
    .select('id', 'url', 'active', 'failing_since', 'deactivation_reason')
    .where('project_id', p.projectId)
    .whereNull('deleted_at')
    .orderBy(['created_at', 'id']),
);

/** A project that is there. Errors: OperatorError. */
export async function getProject(executor: Executor, id: string): Promise<OperatedProject> {
  const project = await executor.get(findProject, { id });
  if (project) return project;
  throw new OperatorError(`there is no project ${id}`, 4);
}
