// Binds the operations of projects to their service.

import { operations } from '@envsnap/shared';
import type { Request } from 'express';
import { storeKeyMessage } from '../api-keys/service.ts';
import { AppError } from '../infra/app-error.ts';
import { checkRole } from '../infra/http/check-role.ts';
import type { Mount } from '../infra/http/mount.ts';
import { contextOf } from '../infra/http/request-context.ts';
import type { Work } from '../work.ts';

/** Who may make further projects: every key, owners' keys, or nobody. docs/specification.md §1. */
export type ProjectCreation = 'any' | 'owner' | 'closed';

/** Mounts the operations of projects. `afterDelete` runs once a deletion is committed. */
export function mountProjects(
  mount: Mount<Work>,
  creation: ProjectCreation,
  afterDelete: (projectId: string) => Promise<void>,
): void {
  function checkCreation(request: Request): void {
    if (creation === 'closed') {
      const text = 'This server does not allow further projects; ask its operator';
      throw new AppError('project_creation_closed', text);
    }
    if (creation === 'owner') {
      checkRole({ ...operations.createProject, access: ['owner'] }, contextOf(request).principal?.role);
    }
  }

  mount(
    operations.createProject,
    async ({ body, principal, work }) =>
      work.transact(async ({ projects }) => {
        const { projectId, apiKeyId, apiKey } = await projects.create({
          name: body.name,
          description: body.description ?? null,
          ownerLabel: 'owner',
          payer: principal.payer,
        });
        return { projectId, apiKeyId, apiKey, name: body.name, message: storeKeyMessage };
      }),
    { check: checkCreation },
  );

  mount(operations.listProjects, async ({ principal, work }) => ({
    projects: await work.read.projects.list(principal),
  }));

  mount(operations.getProject, async ({ params, principal, work }) =>
    work.read.projects.getWithCounts(principal, params.id),
  );

  mount(operations.updateProject, async ({ params, body, work }) => {
    await work.transact(({ projects }) => projects.update(params.id, body));
    return { success: true as const };
  });

  mount(operations.deleteProject, async ({ params, work }) => {
    await work.transact(({ projects }) => projects.remove(params.id));
    await afterDelete(params.id);
    return { success: true as const, message: 'The project and all its data have been deleted.' };
  });
}
