// The members of a project.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { maySend } from '../forms.ts';
import { consolePage } from '../frame/document.ts';
import { formField, selectField } from '../frame/field.ts';
import { commandLine, moment, options, secretShown, table } from '../frame/parts.ts';
import { formSection, postForm } from '../frame/post-form.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';
import { roleChoices } from './keys.ts';

export interface TeamPageData {
  readonly list: ResponseOf<Operations['listMembers']>;
  /** The member that the form `inviteMember` invited, whose key this address shows once. Default: none. */
  readonly made?: ResponseOf<Operations['inviteMember']> | undefined;
}

/** The page at `team[?made=]`. Forms: `inviteMember`, `updateMember`, `removeMember`. */
export function teamPage(context: PageContext, { list, made }: TeamPageData): ConsolePage {
  const { members } = list;
  const names = new Map(members.map((member) => [member.apiKeyId, member.keyLabel ?? member.apiKeyId]));
  const rows = members.map(({ id, apiKeyId, keyLabel, role, invitedBy, joinedAt }) => {
    const name = keyLabel ?? 'no label';
    const fixed = role === 'owner' || apiKeyId === context.caller?.id;
    const params = { memberId: id };
    return [
      html`${keyLabel ?? html`<span class="dim">no label</span>`}${apiKeyId === context.caller?.id ? html` <span class="badge neutral">you</span>` : null}`,
      fixed || !maySend(context.caller, 'updateMember')
        ? role
        : postForm(context, 'updateMember', {
            label: 'Change',
            params,
            fields: html`<select name="role" aria-label="Role of ${name}">${options(
              roleChoices.map(([name]) => [name, name]),
              role,
            )}</select>`,
          }),
      moment(joinedAt, context),
      invitedBy === null
        ? html`<span class="dim">created the project</span>`
        : (names.get(invitedBy) ?? html`<code>${invitedBy}</code>`),
      fixed
        ? null
        : postForm(context, 'removeMember', {
            label: 'Remove',
            params,
            warning: `Removes ${name} and revokes the key.`,
          }),
    ];
  });
  const invite = formSection(context, 'inviteMember', 'Invite someone', {
    label: 'Invite',
    fields: [
      formField(context, 'inviteMember', {
        name: 'label',
        control: (own, typed) => html`<input${own} value="${typed}" maxlength="100" placeholder="Ada">`,
      }),
      selectField(context, 'inviteMember', 'role', roleChoices, 'member'),
    ],
  });
  const body = html`<h1>Team</h1>
${made && secretShown(`The key of ${made.label ?? 'the new member'} (${made.role})`, made.apiKey)}
${table({ label: 'Members', columns: ['Member', 'Role', 'Joined', 'Invited by', 'Remove'], rows, empty: 'No members.', filter: true })}
${invite}
${commandLine(['team', 'list'], ['team', 'invite', '--label', 'Ada', '--role', 'member'])}`;
  return consolePage(context, { title: 'Team', body, place: 'team' });
}
