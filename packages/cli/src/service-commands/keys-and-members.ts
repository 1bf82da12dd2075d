// envsnap key … and envsnap team …

import type { ApiKey, Member } from '@envsnap/shared';
import { visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { keyIds, memberIds, resolveId } from '../actions/references/resolve-id.ts';
import { assignableRoles, idArgument, projectFlag, yesFlag } from '../flags.ts';
import { idCells, renderRows, when } from '../render/layout/table.ts';
import type { Screen } from '../terminal/terminal.ts';
import { deletion, serviceCommand } from './service-command.ts';

export const keyCommands = {
  'key:list': serviceCommand({
    summary: 'List the API keys of the project.',
    ask: async ({ client }) => (await client()).keys.list(),
    show: ({ keys }, screen) => renderKeys(keys, screen),
  }),
  'key:revoke': deletion({
    summary: 'Revoke an API key and remove its membership.',
    noun: 'key',
    ids: keyIds,
    question: (id) => `Revoke key ${id}? Whoever uses it is refused from the next request on.`,
    remove: (client, id) => client.keys.revoke(id),
    done: 'revoked',
  }),
};

export const teamCommands = {
  'team:list': serviceCommand({
    summary: 'List the members of the project.',
    flags: projectFlag,
    async ask({ flags, project }) {
      const { client, projectId } = await project(flags.project);
      return client.team.list(projectId);
    },
    show: ({ members }, screen) => renderMembers(members, screen),
  }),
  'team:role': serviceCommand({
    summary: 'Change the role of a member.',
    examples: ['envsnap team role 0193a5c2 viewer'],
    args: {
      member: idArgument('member'),
      role: argument({ required: true, options: [...assignableRoles], description: 'The new role.' }),
    },
    flags: projectFlag,
    async ask({ args, flags, project }) {
      const { client, projectId } = await project(flags.project);
      const memberId = await resolveId(args.member, memberIds(client, projectId));
      const role = assignableRoles.find((known) => known === args.role) ?? 'member';
      const changed = await client.team.updateRole(projectId, memberId, role);
      return { id: changed.memberId, role: changed.newRole, ...changed };
    },
    show: ({ id, role }) => `Member ${visible(id)} is ${visible(role)} now.`,
  }),
  'team:remove': serviceCommand({
    summary: 'Remove a member and revoke their key.',
    args: { member: idArgument('member') },
    flags: { ...yesFlag, ...projectFlag },
    async ask({ args, flags, project, confirm }) {
      const { client, projectId } = await project(flags.project);
      const id = await resolveId(args.member, memberIds(client, projectId));
      await confirm(`Remove member ${id} and revoke their key?`, flags.yes);
      await client.team.remove(projectId, id);
      return { id, removed: id };
    },
    show: ({ id }) => `Removed member ${visible(id)}.`,
  }),
};

/** Renders keys; of a key itself only the beginning is known. */
export function renderKeys(keys: readonly ApiKey[], screen: Screen): string {
  return renderRows(screen, keys, [
    ['ID', idCells(keys, screen)],
    ['LABEL', (key) => key.label ?? '', { shrinks: true }],
    ['ROLE', (key) => key.role],
    ['KEY', (key) => `${key.prefix}…`],
    ['MADE', (key) => when(key.createdAt, screen), { drops: 1 }],
    ['LAST USED', (key) => (key.lastUsedAt ? when(key.lastUsedAt, screen) : 'never')],
    ['EXPIRES', (key) => (key.expiresAt ? when(key.expiresAt, screen) : '')],
  ]);
}

/** Renders members, the oldest first. */
function renderMembers(members: readonly Member[], screen: Screen): string {
  return renderRows(screen, members, [
    ['MEMBER ID', idCells(members, screen)],
    ['LABEL', (member) => member.keyLabel ?? '', { shrinks: true }],
    ['ROLE', (member) => member.role],
    ['JOINED', (member) => when(member.joinedAt, screen)],
  ]);
}
