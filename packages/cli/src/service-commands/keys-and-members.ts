// envsnap key …, envsnap team … and envsnap whoami

import type { ApiKey } from '@envsnap/shared';
import { visible } from '@envsnap/shared/text/visible';
import { string as argument } from '@oclif/core/args';
import { string } from '@oclif/core/flags';
import { keyIds, memberIds, resolveId } from '../actions/references/resolve-id.ts';
import type { SettingSource } from '../connection/settings.ts';
import { CliError } from '../errors/cli-error.ts';
import { assignableRoles, idArgument, newKeyFlags, projectFlag, yesFlag } from '../flags.ts';
import { type Field, idCells, renderDone, renderFields, renderRows, when } from '../render/layout/table.ts';
import type { Screen } from '../terminal/terminal.ts';
import { deletion, serviceCommand } from './service-command.ts';

export const keyCommands = {
  'key:list': serviceCommand({
    summary: 'List the API keys of the project.',
    ask: async ({ client }) => (await client()).keys.list(),
    show: ({ keys }, screen) => renderKeys(keys, screen),
  }),
  'key:create': serviceCommand({
    summary: 'Create an API key for the project. It is shown once.',
    examples: ['envsnap key create --label ci --role member --expires 90d'],
    flags: { label: string({ summary: 'What the key is for.', helpValue: 'TEXT' }), ...newKeyFlags },
    async ask({ flags, client }) {
      const made = await (await client()).keys.create(newKeyRequest(flags));
      return { ...made, id: made.apiKeyId };
    },
    show: (made, screen) => renderNewKey('Created a key', made, screen),
  }),
  'key:revoke': deletion({
    summary: 'Revoke an API key and remove its membership.',
    noun: 'key',
    ids: keyIds,
    question: (id) => `Revoke key ${id}? The server refuses it from the next request on.`,
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
    show: ({ members }, screen) =>
      renderRows(screen, members, [
        ['MEMBER ID', idCells(members, screen)],
        ['LABEL', (member) => member.keyLabel ?? '', { shrinks: true }],
        ['ROLE', (member) => member.role],
        ['JOINED', (member) => when(member.joinedAt, screen)],
      ]),
  }),
  'team:invite': serviceCommand({
    summary: 'Invite a member. The key for them is shown once.',
    examples: ['envsnap team invite --label "Ada" --role member --expires 90d'],
    flags: {
      label: string({ summary: 'Who is invited.', helpValue: 'TEXT' }),
      ...newKeyFlags,
      ...projectFlag,
    },
    async ask({ flags, project, command }) {
      const request = newKeyRequest(flags);
      const { connection, client, projectId } = await project(flags.project);
      const made = await client.team.invite(projectId, request);
      command.print(renderNewKey(`Invited member ${made.memberId}`, made, command.screen));
      command.print(`They save it with: envsnap init --base-url ${connection.baseUrl} --api-key-stdin`);
      return { id: made.memberId, ...made };
    },
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
    async ask({ args, flags, project, command }) {
      const { client, projectId } = await project(flags.project);
      const id = await resolveId(args.member, memberIds(client, projectId));
      await command.confirm(`Remove member ${id} and revoke their key?`, flags.yes);
      await client.team.remove(projectId, id);
      return { id, removed: id };
    },
    show: ({ id }) => `Removed member ${visible(id)}.`,
  }),
};

export const whoamiCommand = {
  whoami: serviceCommand({
    summary: 'Show which key, role, project and server are in use.',
    async ask({ flags, command }) {
      const connection = await command.connection(flags);
      const key = await (await command.clientOf(connection)).keys.current();
      const { baseUrl, profileName: profile = null, apiKeySource, baseUrlSource } = connection;
      return { ...key, apiKeyId: key.id, baseUrl, profile, apiKeySource, baseUrlSource };
    },
    show(identity, screen) {
      const origin: Record<SettingSource, string> = {
        flag: 'from a flag',
        variable: 'from a variable',
        profile: `from profile ${identity.profile}`,
        default: 'the default',
      };
      const { label, prefix, apiKeySource, expiresAt } = identity;
      const fields: Field[] = [
        ['project', `${identity.projectName} (${identity.projectId})`],
        ['role', identity.role],
        ['key', `${label ?? 'without label'} (${prefix}…, ${origin[apiKeySource]})`],
        ['key id', identity.id],
        ['key since', when(identity.createdAt, screen)],
        ['key expires', expiresAt && when(expiresAt, screen)],
        ['server', `${identity.baseUrl} (${origin[identity.baseUrlSource]})`],
      ];
      return renderFields(fields, screen);
    },
  }),
};

/** Renders keys; only the beginning of a key is known. */
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

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** The longest time from now that a key may be given: 200 years. */
const longestMs = 200 * 365.25 * 86_400_000;

/** A time in hours, days or weeks (`12h`, `90d`, `4w`; at most six digits) as milliseconds; undefined for other text. */
export function parseSpan(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? [];
  const ms = unitMs[unit];
  return ms && Number(count) * ms;
}

/**
 * A time from now (`12h`, `90d`, `4w`) or a day in UTC (`2027-03-31`). Throws a CliError if it is neither, or not later than now.
 */
export function parseExpiry(text: string, nowMs: number): string {
  const span = parseSpan(text);
  const ms = span === undefined ? parseDay(text) : nowMs + span;
  if (Number.isNaN(ms) || (span ?? 0) > longestMs) {
    throw new CliError('--expires must be a time from now or a date', {
      code: 'invalid_flag',
      hint: 'For example --expires 90d, --expires 12h or --expires 2027-03-31.',
    });
  }
  if (ms <= nowMs) throw new CliError('--expires must be in the future', { code: 'invalid_flag' });
  return new Date(ms).toISOString();
}

/** The request for the flags of a new key. Errors: those of `parseExpiry`. */
function newKeyRequest<Role>(flags: { label: string | undefined; role: Role; expires: string | undefined }) {
  const { label = null, role, expires } = flags;
  return { label, role, ...(expires !== undefined && { expiresAt: parseExpiry(expires, Date.now()) }) };
}

function parseDay(text: string): number {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00.000Z`) : Number.NaN;
  // JavaScript reads 30 February as 2 March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text) ? ms : Number.NaN;
}

/** Renders a new key with the advice to keep it. */
export function renderNewKey(
  title: string,
  key: { apiKey: string; apiKeyId: string; role: string; label?: string | null; expiresAt?: string | null },
  screen: Screen,
): string {
  const fields: Field[] = [
    ['key', key.apiKey],
    ['key id', key.apiKeyId],
    ['role', key.role],
    ['label', key.label || null],
    ['expires', key.expiresAt],
  ];
  const advice = screen.paint('yellow', 'Save the key now: it is not shown again.');
  return renderDone(visible(title), fields, screen, advice);
}
