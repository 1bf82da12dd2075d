// client.projects: create, list, show, change and delete projects. docs/specification.md §3.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type {
  CreateProjectAnswer,
  CreateProjectBody,
  DeleteProjectAnswer,
  ListProjectsAnswer,
  Project,
  ProjectWithCounts,
  Success,
  UpdateProjectBody,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf } from '../lists/list-promise.ts';
import type { CallOptions } from '../settings.ts';

const projects = defineList('listProjects', 'projects', 'id', true);

export class Projects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates another project. The answer holds its owner's key, this once; this client's key does not reach it.
   *
   * @example
   * const { projectId, apiKey } = await client.projects.create({ name: 'shop' });
   */
  create(project: CreateProjectBody, options?: CallOptions): ApiPromise<CreateProjectAnswer> {
    return this.#transport.call('createProject', { body: project }, options);
  }

  /**
   * The projects that this client's key has access to.
   *
   * @example
   * for await (const { id, name } of client.projects.list()) console.log(id, name);
   */
  list(options?: CallOptions): ListPromise<ListProjectsAnswer, Project> {
    return listOf(this.#transport, projects, {}, options);
  }

  /**
   * A project with its counts.
   *
   * @example
   * const { counts } = await client.projects.get(id);
   */
  get(id: string, options?: CallOptions): ApiPromise<ProjectWithCounts> {
    return this.#transport.call('getProject', { params: { id } }, options);
  }

  /**
   * Changes name or description; at least one.
   *
   * @example
   * await client.projects.update(id, { description: 'The shop and its workers' });
   */
  update(id: string, changes: UpdateProjectBody, options?: CallOptions): ApiPromise<Success> {
    return this.#transport.call('updateProject', { params: { id }, body: changes }, options);
  }

  /**
   * Deletes a project and everything in it, for good, this client's key too.
   *
   * @example
   * await client.projects.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<DeleteProjectAnswer> {
    return this.#transport.call('deleteProject', { params: { id } }, options);
  }
}
