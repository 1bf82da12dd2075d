// The keys of a project, and the sessions of the console that were opened with them.

import type { ApiKey, Operations, ResponseOf } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { formField, selectField } from '../frame/field.ts';
import { badge, commandLine, moment, older, secretShown, table } from '../frame/parts.ts';
import { formSection, postForm } from '../frame/post-form.ts';
import { html, type MarkupContent } from '../markup.ts';
import { type ConsolePage, linkTo, type PageContext } from '../page.ts';

export interface ConsoleSession {
  readonly id: string;
  /** First characters and label of the key with which it was opened. */
  readonly keyPrefix: string;
  readonly keyLabel: string | null;
  /** ISO 8601, like all times here. */
  readonly createdAt: string;
  readonly lastUsedAt: string;
  /** When it ends at the latest. */
  readonly expiresAt: string;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

export interface KeysPageData {
  /** Null for those who may not list keys. */
  readonly keys: readonly ApiKey[] | null;
  /** All sessions of the project for those who may list keys, for others, only the sessions of their own key. */
  readonly sessions: readonly ConsoleSession[];
  /** Where these sessions begin, and how many there are. */
  readonly offset: number;
  readonly total: number;
  /** The key that the form `createKey` made, which this address shows once. Default: none. */
  readonly made?: ResponseOf<Operations['createKey']> | undefined;
}

export const roleChoices = [
  ['member', 'member: reads and captures'],
  ['viewer', 'viewer: reads'],
  ['admin', 'admin: also manages keys, team and webhooks'],
] as const;

/** The page at `keys[?offset=][&made=]`. Forms: `createKey`, `revokeKey`, `endSession`. */
export function keysPage(
  context: PageContext,
  { keys, sessions, offset, total, made }: KeysPageData,
): ConsolePage {
  const behind = offset + sessions.length;
  const body = html`<h1>Keys and sessions</h1>
${made && secretShown(`The new key${made.label === null ? '' : ` “${made.label}”`} (${made.role})`, made.apiKey)}
${keys === null ? html`<p class="empty">Only owners and admins can see the keys of the project.</p>` : keyTable(context, keys)}
${newKey(context)}
<h2>Sessions of the console</h2>
<p class="lead">A session ends after 12 hours without use, after 7 days, or with its key.</p>
${table({
  label: 'Sessions',
  columns: ['Key', 'Signed in', 'Last used', 'Expires', 'End'],
  rows: sessions.map((session) => [
    html`<code>${session.keyPrefix}…</code> ${session.keyLabel}${session.current ? html` ${badge('neutral', 'this one')}` : null}`,
    moment(session.createdAt, context),
    moment(session.lastUsedAt, context),
    moment(session.expiresAt, context),
    postForm(context, 'endSession', { label: 'End', params: { id: session.id } }),
  ]),
  empty: 'No sessions.',
})}
${older('Older sessions', behind < total && linkTo(context, ['keys'], { offset: String(behind) }), total)}
${commandLine(['key', 'list'], ['key', 'create', '--label', 'ci', '--role', 'member', '--expires', '90d'])}`;
  return consolePage(context, { title: 'Keys', body, place: 'keys' });
}

function keyTable(context: PageContext, keys: readonly ApiKey[]): MarkupContent {
  return table({
    label: 'Keys',
    columns: ['Key', 'For', 'Role', 'Last used', 'Expires', 'Created', 'Revoke'],
    filter: true,
    empty: 'No keys.',
    rows: keys.map((key) => [
      html`<code>${key.prefix}…</code>`,
      key.label ?? html`<span class="dim">no label</span>`,
      key.role,
      moment(key.lastUsedAt, context),
      key.expiresAt === null ? html`<span class="dim">never</span>` : moment(key.expiresAt, context),
      moment(key.createdAt, context),
      key.id === context.caller?.id || key.role === 'owner'
        ? html`<span class="dim">${key.id === context.caller?.id ? 'your key' : 'owner'}</span>`
        : postForm(context, 'revokeKey', {
            label: 'Revoke',
            params: { id: key.id },
            warning: 'This key will stop working, and its sessions will end.',
          }),
    ]),
  });
}

function newKey(context: PageContext): MarkupContent {
  return formSection(context, 'createKey', 'Create a key', {
    label: 'Create key',
    fields: [
      formField(context, 'createKey', {
        name: 'label',
        hint: 'Optional. It helps you recognise the key later.',
        control: (own, typed) => html`<input${own} value="${typed}" maxlength="100" placeholder="ci">`,
      }),
      selectField(context, 'createKey', 'role', roleChoices, 'member'),
      formField(context, 'createKey', {
        name: 'expiresAt',
        hint: 'Optional. Without a date, the key works until it is revoked.',
        // A date field holds only the day.
        control: (own, typed = '') =>
          html`<input${own} type="date" value="${/^\d{4}-\d\d-\d\d$/.test(typed) && typed}">`,
      }),
    ],
  });
}
