// Projects. Spec: Projects; Decisions §2, §3.

import * as z from 'zod';
import { apiKeySecret } from './api-key.ts';
import { defineOperation } from './operation.ts';
import { idParams, projectDescription, projectName, role, success, timestamp, uuid } from './primitives.ts';

export const project = z.object({
  id: uuid,
  name: z.string(),
  description: z.string().nullable(),
  role: role.describe("The calling key's role in the project."),
  createdAt: timestamp,
  updatedAt: timestamp,
});
export type Project = z.infer<typeof project>;

const count = z.number().int().min(0);

export const projectWithCounts = project.extend({
  counts: z.object({ snapshots: count, files: count, members: count }),
});
export type ProjectWithCounts = z.infer<typeof projectWithCounts>;

export const createProject = defineOperation({
  name: 'createProject',
  group: 'projects',
  method: 'POST',
  path: '/machine/projects',
  summary: 'Create another project with an owner key of its own',
  access: 'any',
  body: z.object({ name: projectName, description: projectDescription.nullish() }),
  response: z.object({
    projectId: uuid,
    apiKeyId: uuid,
    apiKey: apiKeySecret,
    name: z.string(),
    message: z.string(),
  }),
  status: 201,
  idempotency: 'secret',
  errors: ['project_creation_closed', 'project_quota_exceeded', 'project_not_found'],
});

export const listProjects = defineOperation({
  name: 'listProjects',
  group: 'projects',
  method: 'GET',
  path: '/machine/projects',
  summary: 'List the projects that the calling key has access to',
  access: 'any',
  response: z.object({ projects: z.array(project) }),
  status: 200,
  errors: [],
});

export const getProject = defineOperation({
  name: 'getProject',
  group: 'projects',
  method: 'GET',
  path: '/machine/projects/:id',
  summary: 'Show a project with its counts',
  access: 'any',
  projectParam: 'id',
  params: idParams,
  response: projectWithCounts,
  status: 200,
  errors: ['not_a_member', 'project_not_found'],
});

export const updateProject = defineOperation({
  name: 'updateProject',
  group: 'projects',
  method: 'PATCH',
  path: '/machine/projects/:id',
  summary: 'Change the name or description of a project',
  access: ['owner', 'admin'],
  projectParam: 'id',
  params: idParams,
  body: z
    .object({ name: projectName.optional(), description: projectDescription.nullable().optional() })
    .refine((body) => body.name !== undefined || body.description !== undefined, {
      message: 'must hold at least one of name, description',
    }),
  response: success,
  status: 200,
  errors: ['not_a_member', 'project_not_found'],
});

export const deleteProject = defineOperation({
  name: 'deleteProject',
  group: 'projects',
  method: 'DELETE',
  path: '/machine/projects/:id',
  summary: 'Delete a project and everything in it, for good',
  access: ['owner'],
  projectParam: 'id',
  params: idParams,
  response: success.extend({ message: z.string() }),
  status: 200,
  revokes: true,
  errors: ['not_a_member', 'project_not_found'],
});
