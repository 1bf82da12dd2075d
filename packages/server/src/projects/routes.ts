// Binds the operations of projects to their service.

import { operations } from '@envsnap/shared';
import { storeKeyMessage } from '../api-keys/service.ts';
import type { Mount } from '../infra/http/mount.ts';
import type { Work } from '../work.ts';

/** Mounts the operations of projects. `afterDelete` runs once a deletion is committed. */
export function mountProjects(mount: Mount<Work>, afterDelete: (projectId: string) => void): void {
  mount(operations.createProject, async ({ body, work }) =>
    work.transact(async ({ projects }) => {
      const { projectId, apiKeyId, apiKey } = await projects.create({
        name: body.name,
        description: body.description ?? null,
        ownerLabel: 'owner',
      });
      return { projectId, apiKeyId, apiKey, name: body.name, message: storeKeyMessage };
    }),
  );

  mount(operations.listProjects, async ({ principal, work }) => ({
    projects: await work.read.projects.list(principal),
  }));

  mount(operations.getProject, async ({ params, principal, work }) =>
    work.read.projects.getWithCounts(principal, params.id),
  );

  mount(operations.updateProject, async ({ params, body, work }) => {
    const changes = {
      ...(body.name === undefined ? {} : { name: body.name }),
      ...(body.description === undefined ? {} : { description: body.description }),
    };
    await work.transact(({ projects }) => projects.update(params.id, changes));
    return { success: true as const };
  });

  mount(operations.deleteProject, async ({ params, work }) => {
    await work.transact(({ projects }) => projects.remove(params.id));
    afterDelete(params.id);
    return { success: true as const, message: 'The project and all its data have been deleted.' };
  });
}
