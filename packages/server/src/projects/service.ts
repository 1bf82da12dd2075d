// Projects: creation with their owner key, data key and quotas; reading, changing, deleting. docs/specification.md §3.

import type { Project, ProjectWithCounts } from '@envsnap/shared';
import type { ApiKeyService, IssuedKey } from '../api-keys/service.ts';
import type { Recording } from '../audit/service.ts';
import type { FingerprintKeyService } from '../fingerprints/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import type { DataKeys } from '../infra/crypto/data-keys.ts';
import type { Executor } from '../infra/db/database.ts';
import type { Principal } from '../infra/http/request-context.ts';
import * as rows from './repository.ts';

interface ProjectServiceDeps extends Recording {
  readonly defaultQuotas: rows.QuotaLimits;
  readonly maxProjects: number | undefined;
  readonly apiKeys: ApiKeyService;
  readonly dataKeys: DataKeys;
  readonly fingerprintKeys: FingerprintKeyService;
}

export function createProjectService(executor: Executor, deps: ProjectServiceDeps) {
  async function get(id: string): Promise<rows.ProjectRow> {
    return found(await executor.get(rows.findProject, { id }));
  }

  return {
    /** Creates a project, its data key, fingerprint key and quotas, and its owner key labelled `ownerLabel`. Errors: `project_quota_exceeded`. */
    async create(project: {
      name: string;
      description: string | null;
      ownerLabel: string;
      payer: string;
    }): Promise<IssuedKey & { projectId: string }> {
      const { maxProjects } = deps;
      if (maxProjects !== undefined && (await rows.countForCreation(executor)) >= maxProjects) {
        throw new AppError('project_quota_exceeded', `Project quota exceeded (max ${maxProjects})`);
      }
      const projectId = deps.newId();
      const { name, description } = project;
      const nowMs = deps.clock.nowMs();
      const times = { created_at: nowMs, updated_at: nowMs };
      await executor.run(rows.insertProject, { id: projectId, name, description, ...times });
      await executor.run(rows.insertQuotas, { projectId, payer: project.payer, ...deps.defaultQuotas });
      await deps.dataKeys.create(executor, projectId);
      await deps.fingerprintKeys.create(projectId);
      const key = await deps.apiKeys.issue({
        projectId,
        role: 'owner',
        label: project.ownerLabel,
        invitedBy: null,
      });
      deps.audit.record(
        projectId,
        'project.created',
        { type: 'project', id: projectId, name },
        { ownerKeyId: key.apiKeyId },
      );
      return { projectId, ...key };
    },

    async exists(id: string): Promise<boolean> {
      return (await executor.get(rows.findProject, { id })) !== undefined;
    },

    async list(principal: Principal): Promise<Project[]> {
      const { apiKeyId } = principal;
      return (await executor.all(rows.listForKey, { apiKeyId })).map(toAnswer);
    },

    async getWithCounts(principal: Principal, id: string): Promise<ProjectWithCounts> {
      const row = await get(id);
      const counts = found(await executor.get(rows.countContents, { id }));
      return { ...toAnswer(row), role: principal.role, counts };
    },

    async update(
      id: string,
      changes: { name?: string | undefined; description?: string | null | undefined },
    ): Promise<void> {
      const project = executor.dialect.builder('projects').where('id', id).whereNull('deleted_at');
      const change = { ...changes, updated_at: deps.clock.nowMs() };
      found(await executor.get(project.update(change).returning('id')));
      deps.audit.record(
        id,
        'project.updated',
        { type: 'project', id, name: changes.name },
        { changed: Object.keys(changes) },
      );
    },

    /**
     * Deletes the project and its keys: from the commit on, its data cannot be reached or decrypted, not even in backups. The
     * deletion worker removes the other rows.
     */
    async remove(id: string): Promise<void> {
      found(await executor.get(rows.lockProject, { id }));
      const { name } = await get(id);
      // Its own log is deleted with it; this entry is for the operator.
      deps.audit.record(null, 'project.deleted', { type: 'project', id, name });
      await rows.removeProject(executor, id, deps.clock.nowMs());
    },
  };
}

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new AppError('project_not_found', 'Project not found');
  return row;
}
