// client.team: the members of a project. docs/specification.md §3.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Transport } from '../call/transport.ts';
import type {
  InviteMemberAnswer,
  ListMembersAnswer,
  Member,
  NewKeyBody,
  PartQuery,
  Success,
  UpdateMemberAnswer,
  UpdateMemberBody,
} from '../contract/types.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

const members = defineList('listMembers', 'members', 'id');

export class Team {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * The members of a project, the oldest first. All at once, unless `query` asks for a part.
   *
   * @example
   * for await (const { id, role } of client.team.list(projectId)) console.log(id, role);
   */
  list(projectId: string, query?: PartQuery, options?: CallOptions): ListPromise<ListMembersAnswer, Member> {
    return listOf(this.#transport, members, { params: { projectId }, query }, options);
  }

  /**
   * The same, page by page as they are asked for.
   *
   * @example
   * const members = await client.team.iterate(projectId).toArray({ limit: 10 });
   */
  iterate(projectId: string, options?: CallOptions & PageOptions): ItemSequence<Member> {
    return walkOf(this.#transport, members, { params: { projectId } }, options);
  }

  /**
   * Invites a member, with an end (`expiresAt`) or without. The answer holds the member's key, this once.
   *
   * @example
   * const { apiKey } = await client.team.invite(projectId, { label: 'Kim', role: 'member' });
   */
  invite(
    projectId: string,
    invitation: NewKeyBody = {},
    options?: CallOptions,
  ): ApiPromise<InviteMemberAnswer> {
    return this.#transport.call('inviteMember', { params: { projectId }, body: invitation }, options);
  }

  /**
   * Gives a member another role. Not for the owner.
   *
   * @example
   * await client.team.updateRole(projectId, memberId, 'admin');
   */
  updateRole(
    projectId: string,
    memberId: string,
    role: UpdateMemberBody['role'],
    options?: CallOptions,
  ): ApiPromise<UpdateMemberAnswer> {
    return this.#transport.call('updateMember', { params: { projectId, memberId }, body: { role } }, options);
  }

  /**
   * Removes a member and revokes their key. Not for the owner or oneself.
   *
   * @example
   * await client.team.remove(projectId, memberId);
   */
  remove(projectId: string, memberId: string, options?: CallOptions): ApiPromise<Success> {
    return this.#transport.call('removeMember', { params: { projectId, memberId } }, options);
  }
}
