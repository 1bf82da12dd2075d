// Projects. docs/specification.md §2, §3.

import * as z from 'zod';
import { apiKeySecret } from './api-key.ts';
import { defineOperations } from './operation.ts';
import {
  idParams,
  maybe,
  projectDescription,
  projectName,
  role,
  success,
  timestamp,
  uuid,
} from './primitives.ts';

export const project = z.object({
  id: uuid.describe('Id of the project.'),
  name: z.string().describe('Name of the project.'),
  description: z.string().nullable().describe('What the project is for; null when nothing was said.'),
  role: role.describe("The calling key's role in the project."),
  createdAt: timestamp.describe('When the project was made.'),
  updatedAt: timestamp.describe('When its name or description last changed.'),
});
export type Project = z.infer<typeof project>;

const count = z.number().int().min(0);

export const projectWithCounts = project.extend({
  counts: z
    .object({
      snapshots: count.describe('Snapshots stored.'),
      files: count.describe('Files stored.'),
      members: count.describe('Members, the owner included.'),
    })
    .describe('What the project holds.'),
});
export type ProjectWithCounts = z.infer<typeof projectWithCounts>;

export const projectOperations = defineOperations('projects', {
  createProject: {
    method: 'POST',
    path: '/machine/projects',
    summary: 'Create another project with an owner key of its own',
    access: 'any',
    body: z.object({
      name: projectName.describe('Name of the project, 1 to 200 characters after trimming.'),
      description: maybe(projectDescription).describe('What it is for, up to 2,000 characters.'),
    }),
    response: z.object({
      projectId: uuid.describe('Id of the new project.'),
      apiKeyId: uuid.describe('Id of its first key.'),
      apiKey: apiKeySecret,
      name: z.string().describe('Name of the project, trimmed.'),
      message: z.string().describe('A reminder to keep the key.'),
    }),
    status: 201,
    answer: 'The new project with its owner key.',
    idempotency: 'secret',
    errors: ['project_creation_closed', 'project_quota_exceeded', 'project_not_found', 'api_key_not_found'],
  },

  listProjects: {
    method: 'GET',
    path: '/machine/projects',
    summary: 'List the projects that the calling key has access to',
    access: 'any',
    response: z.object({
      projects: z.array(project).describe('The projects; today always one, that of the key.'),
    }),
    answer: 'The projects that the key reaches.',
    errors: [],
  },

  getProject: {
    method: 'GET',
    path: '/machine/projects/:id',
    summary: 'Show a project with its counts',
    access: 'any',
    projectParam: 'id',
    params: idParams,
    response: projectWithCounts,
    answer: 'The project with its counts.',
    errors: ['not_a_member', 'project_not_found'],
  },

  updateProject: {
    method: 'PATCH',
    path: '/machine/projects/:id',
    summary: 'Change the name or description of a project',
    access: ['owner', 'admin'],
    projectParam: 'id',
    params: idParams,
    body: z
      .object({
        name: maybe(projectName).describe('New name, 1 to 200 characters after trimming.'),
        description: projectDescription.nullable().optional().describe('New description; null removes it.'),
      })
      .refine((body) => body.name !== undefined || body.description !== undefined, {
        message: 'must hold at least one of name, description',
      })
      .meta({ minProperties: 1 }),
    response: success,
    answer: 'The project is changed.',
    errors: ['not_a_member', 'project_not_found'],
  },

  deleteProject: {
    method: 'DELETE',
    path: '/machine/projects/:id',
    summary: 'Delete a project and everything in it, for good',
    access: ['owner'],
    projectParam: 'id',
    params: idParams,
    response: success.extend({ message: z.string().describe('What was deleted.') }),
    answer: 'The project and everything in it is gone.',
    isSweeping: true,
    revokes: true,
    errors: ['not_a_member', 'project_not_found'],
  },
});
