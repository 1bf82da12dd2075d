// client.team: the members of a project. docs/specification.md §3.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, BodyInput, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { Member } from '../contract/types.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Team {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The members of a project, the oldest first. All at once, unless `query` asks for a part. */
  list(
    projectId: string,
    query?: QueryInput<'listMembers'>,
    options?: CallOptions,
  ): ApiPromise<Answer<'listMembers'>> {
    return this.#transport.call('listMembers', { params: { projectId }, query }, options);
  }

  /** The same, page by page as they are asked for. */
  iterate(projectId: string, options?: CallOptions & PageOptions): ItemSequence<Member> {
    return iteratePages(
      async (place) => {
        const { members: items, total } = await this.list(projectId, place, options);
        return { items, total };
      },
      ({ id }) => id,
      options,
    );
  }

  /** Invites a member. The answer holds the member's key, this once. */
  invite(
    projectId: string,
    invitation: BodyInput<'inviteMember'> = {},
    options?: CallOptions,
  ): ApiPromise<Answer<'inviteMember'>> {
    return this.#transport.call('inviteMember', { params: { projectId }, body: invitation }, options);
  }

  /** Gives a member another role. Not for the owner. */
  updateRole(
    projectId: string,
    memberId: string,
    role: BodyInput<'updateMember'>['role'],
    options?: CallOptions,
  ): ApiPromise<Answer<'updateMember'>> {
    return this.#transport.call('updateMember', { params: { projectId, memberId }, body: { role } }, options);
  }

  /** Removes a member and revokes their key. Not for the owner or oneself. */
  remove(projectId: string, memberId: string, options?: CallOptions): ApiPromise<Answer<'removeMember'>> {
    return this.#transport.call('removeMember', { params: { projectId, memberId } }, options);
  }
}
