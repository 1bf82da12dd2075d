// Projects. docs/specification.md §2, §3.

import * as z from 'zod';
import { apiKeySecret } from './api-key.ts';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

export const project = p.object('Project', {
  id: p.uuid.describe('Id of the project.'),
  name: p.string('Name of the project.'),
  description: p.stringOrNull('Description of the project; null if it has none.'),
  role: p.role.describe("The calling key's role in the project."),
  createdAt: p.timestamp.describe('When the project was created.'),
  updatedAt: p.timestamp.describe('When its name or description last changed.'),
});
export type Project = z.infer<typeof project>;

export const projectWithCounts = p.named(
  'ProjectWithCounts',
  project.extend({
    counts: p.part('What the project holds.', {
      snapshots: p.natural('Snapshots stored.'),
      files: p.natural('Files stored.'),
      members: p.natural('Members, including the owner.'),
    }),
  }),
);
export type ProjectWithCounts = z.infer<typeof projectWithCounts>;

export const projectOperations = defineOperations('projects', {
  createProject: {
    route: 'POST /machine/projects',
    summary: 'Create another project with its own owner key',
    access: 'any',
    body: z.object({
      name: p.projectName.describe('Name of the project, 1 to 200 characters after trimming.'),
      description: p
        .maybe(p.projectDescription)
        .describe('Description of the project, at most 2,000 characters.'),
    }),
    response: z.object({
      projectId: p.uuid.describe('Id of the new project.'),
      apiKeyId: p.uuid.describe('Id of its first key.'),
      apiKey: apiKeySecret,
      name: p.string('Name of the project, trimmed.'),
      message: p.string('A reminder to store the key.'),
    }),
    status: 201,
    answer: 'The new project with its owner key.',
    idempotency: 'secret',
    errors: ['project_creation_closed', 'project_quota_exceeded', 'project_not_found', 'api_key_not_found'],
  },

  listProjects: {
    route: 'GET /machine/projects',
    summary: 'List the projects that the calling key has access to',
    access: 'any',
    response: z.object({
      projects: p.list(project, 'The projects. At present always one: the project of the key.'),
    }),
    answer: 'The projects that the key has access to.',
  },

  getProject: {
    route: 'GET /machine/projects/:id',
    summary: 'Show a project with its counts',
    access: 'any',
    projectParam: 'id',
    params: p.idParams,
    response: projectWithCounts,
    answer: 'The project with its counts.',
    errors: ['not_a_member', 'project_not_found'],
  },

  updateProject: {
    route: 'PATCH /machine/projects/:id',
    summary: 'Change the name or description of a project',
    access: ['owner', 'admin'],
    projectParam: 'id',
    params: p.idParams,
    body: z
      .object({
        name: p.maybe(p.projectName).describe('New name, 1 to 200 characters after trimming.'),
        description: p.projectDescription.nullable().optional().describe('New description; null removes it.'),
      })
      .refine((body) => body.name !== undefined || body.description !== undefined, {
        message: 'must contain at least one of name, description',
      })
      .meta({ minProperties: 1 }),
    response: p.success,
    answer: 'The project was changed.',
    errors: ['not_a_member', 'project_not_found'],
  },

  deleteProject: {
    route: 'DELETE /machine/projects/:id',
    summary: 'Permanently delete a project and everything in it',
    access: ['owner'],
    projectParam: 'id',
    params: p.idParams,
    response: p.success.extend({ message: p.string('A message that says what was deleted.') }),
    answer: 'The project and everything in it were deleted.',
    isSweeping: true,
    revokes: true,
    errors: ['not_a_member', 'project_not_found'],
  },
});
