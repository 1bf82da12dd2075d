// client.projects: create, list, show, change and delete projects. docs/specification.md §3.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, BodyInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { CallOptions } from '../settings.ts';

export class Projects {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates another project. The answer holds its owner's key, this once; this client's key does not reach it. */
  create(project: BodyInput<'createProject'>, options?: CallOptions): ApiPromise<Answer<'createProject'>> {
    return this.#transport.call('createProject', { body: project }, options);
  }

  /** The projects that this client's key has access to. */
  list(options?: CallOptions): ApiPromise<Answer<'listProjects'>> {
    return this.#transport.call('listProjects', {}, options);
  }

  /** A project with its counts. */
  get(id: string, options?: CallOptions): ApiPromise<Answer<'getProject'>> {
    return this.#transport.call('getProject', { params: { id } }, options);
  }

  /** Changes name or description; at least one. */
  update(
    id: string,
    changes: BodyInput<'updateProject'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'updateProject'>> {
    return this.#transport.call('updateProject', { params: { id }, body: changes }, options);
  }

  /** Deletes a project and everything in it, for good, this client's key too. */
  delete(id: string, options?: CallOptions): ApiPromise<Answer<'deleteProject'>> {
    return this.#transport.call('deleteProject', { params: { id } }, options);
  }
}
