// client.projects, client.team, client.keys and client.fingerprintKey: who may do what. docs/specification.md §1, §3, §9, §10.

import type { ApiPromise } from '../call/api-promise.ts';
import type {
  ApiKey,
  CreateKeyAnswer,
  CreateProjectAnswer,
  CreateProjectBody,
  DeleteProjectAnswer,
  FingerprintKey,
  GetCurrentKeyAnswer,
  InviteMemberAnswer,
  ListKeysAnswer,
  ListMembersAnswer,
  ListProjectsAnswer,
  Member,
  NewKeyBody,
  PartQuery,
  Project,
  ProjectWithCounts,
  Success,
  UpdateMemberAnswer,
  UpdateMemberBody,
  UpdateProjectBody,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';
import { Resource } from './resource.ts';

const projects = defineList('listProjects', 'projects', 'id', true);

export class Projects extends Resource {
  /**
   * Creates another project. Its owner's key is in this response only; this client's key cannot reach the project.
   * @example
   * const { projectId, apiKey } = await client.projects.create({ name: 'shop' });
   */
  create(project: CreateProjectBody, options?: CallOptions): ApiPromise<CreateProjectAnswer> {
    return this.transport.call('createProject', { body: project }, options);
  }

  /**
   * The projects that this client's key has access to.
   * @example
   * for await (const { id, name } of client.projects.list()) console.log(id, name);
   */
  list(options?: CallOptions): ListPromise<ListProjectsAnswer, Project> {
    return listOf(this.transport, projects, {}, options);
  }

  /**
   * A project with its counts.
   * @example
   * const { counts } = await client.projects.get(id);
   */
  get(id: string, options?: CallOptions): ApiPromise<ProjectWithCounts> {
    return this.transport.call('getProject', { params: { id } }, options);
  }

  /**
   * Changes name or description; at least one.
   * @example
   * await client.projects.update(id, { description: 'The shop and its workers' });
   */
  update(id: string, changes: UpdateProjectBody, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('updateProject', { params: { id }, body: changes }, options);
  }

  /**
   * Deletes a project and everything in it permanently, including this client's key.
   * @example
   * await client.projects.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<DeleteProjectAnswer> {
    return this.transport.call('deleteProject', { params: { id } }, options);
  }
}

const members = defineList('listMembers', 'members', 'id');

export class Team extends Resource {
  /**
   * The members of a project, oldest first. Returns all of them unless `query` asks for a part.
   * @example
   * for await (const { id, role } of client.team.list(projectId)) console.log(id, role);
   */
  list(projectId: string, query?: PartQuery, options?: CallOptions): ListPromise<ListMembersAnswer, Member> {
    return listOf(this.transport, members, { params: { projectId }, query }, options);
  }

  /**
   * The same, fetched page by page as needed.
   * @example const members = await client.team.iterate(projectId).toArray({ limit: 10 });
   */
  iterate(projectId: string, options?: CallOptions & PageOptions): ItemSequence<Member> {
    return walkOf(this.transport, members, { params: { projectId } }, options);
  }

  /**
   * Invites a member, optionally with an expiry (`expiresAt`). The member's key is in this response only.
   * @example
   * const { apiKey } = await client.team.invite(projectId, { label: 'Kim', role: 'member' });
   */
  invite(
    projectId: string,
    invitation: NewKeyBody = {},
    options?: CallOptions,
  ): ApiPromise<InviteMemberAnswer> {
    return this.transport.call('inviteMember', { params: { projectId }, body: invitation }, options);
  }

  /**
   * Changes a member's role. The owner's cannot be changed.
   * @example
   * await client.team.updateRole(projectId, memberId, 'admin');
   */
  updateRole(
    projectId: string,
    memberId: string,
    role: UpdateMemberBody['role'],
    options?: CallOptions,
  ): ApiPromise<UpdateMemberAnswer> {
    return this.transport.call('updateMember', { params: { projectId, memberId }, body: { role } }, options);
  }

  /**
   * Removes a member and revokes their key. You cannot remove the owner or yourself.
   * @example
   * await client.team.remove(projectId, memberId);
   */
  remove(projectId: string, memberId: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('removeMember', { params: { projectId, memberId } }, options);
  }
}

const keys = defineList('listKeys', 'keys', 'id');

export class Keys extends Resource {
  /**
   * Creates a key, optionally with an expiry (`expiresAt`). It is in this response only.
   * @example
   * const { apiKey } = await client.keys.create({ label: 'nightly build', role: 'viewer', expiresAt: '2027-03-31' });
   */
  create(key: NewKeyBody = {}, options?: CallOptions): ApiPromise<CreateKeyAnswer> {
    return this.transport.call('createKey', { body: key }, options);
  }

  /**
   * The keys of the project, without their secrets. Returns all of them unless `query` asks for a part.
   * @example
   * for await (const { label, role } of client.keys.list()) console.log(label, role);
   */
  list(query?: PartQuery, options?: CallOptions): ListPromise<ListKeysAnswer, ApiKey> {
    return listOf(this.transport, keys, { query }, options);
  }

  /**
   * The same, fetched page by page as needed.
   * @example const viewers = (await client.keys.iterate().toArray()).filter(({ role }) => role === 'viewer');
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<ApiKey> {
    return walkOf(this.transport, keys, {}, options);
  }

  /**
   * This client's key and its project.
   * @example
   * const { label, role } = await client.keys.current();
   */
  current(options?: CallOptions): ApiPromise<GetCurrentKeyAnswer> {
    return this.transport.call('getCurrentKey', {}, options);
  }

  /**
   * Revokes a key and removes its member. You cannot revoke your own key.
   * @example
   * await client.keys.revoke(id);
   */
  revoke(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('revokeKey', { params: { id } }, options);
  }
}

export class FingerprintKeys extends Resource {
  /**
   * The project's current key. Owners, admins and members may read it; viewers get a `PermissionError`.
   * @example const { id, key } = await client.fingerprintKey.get();
   */
  get(options?: CallOptions): ApiPromise<FingerprintKey> {
    return this.transport.call('getFingerprintKey', {}, options);
  }

  /**
   * Replaces the key and returns the new one. Stored fingerprints do not change: they can be compared with each other, but not
   * with those of later captures. Owners and admins may call it.
   * @example const { key } = await client.fingerprintKey.rotate();
   */
  rotate(options?: CallOptions): ApiPromise<FingerprintKey> {
    return this.transport.call('rotateFingerprintKey', {}, options);
  }
}
