// Name and description of the project.

import type { Operations, ResponseOf } from '@envsnap/shared';
import { grouped } from '@envsnap/shared/text/size';
import { maySend } from '../forms.ts';
import { consolePage } from '../frame/document.ts';
import { formField } from '../frame/field.ts';
import { commandLine, definitions, moment } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

/** The page at `settings`. Form: `updateProject`. */
export function settingsPage(
  context: PageContext,
  { project }: { readonly project: ResponseOf<Operations['getProject']> },
): ConsolePage {
  const { id, name, description, role, createdAt, updatedAt, counts } = project;
  const form = maySend(context.caller, 'updateProject')
    ? html`<section>${postForm(context, 'updateProject', {
        label: 'Save',
        fields: [
          formField(context, 'updateProject', {
            name: 'name',
            control: (own, typed) => html`<input${own} value="${typed ?? name}" maxlength="200">`,
          }),
          formField(context, 'updateProject', {
            name: 'description',
            hint: 'Optional. A sentence that says what the project is for.',
            control: (own, typed) =>
              html`<textarea${own} rows="4" maxlength="2000">${typed ?? description}</textarea>`,
          }),
        ],
      })}</section>`
    : html`<p>${description ?? html`<span class="dim">No description.</span>`}</p><p class="dim">Owners and admins can change the name and the description.</p>`;
  const body = html`<h1>Settings of ${name}</h1>
${form}
${definitions([
  ['Your role', role],
  ['Members', grouped(counts.members)],
  ['Created', moment(createdAt, context)],
  ['Last changed', moment(updatedAt, context)],
  ['Project id', html`<code>${id}</code>`],
  ['Server', html`<code>${context.serverUrl}</code>`],
])}
<p class="dim">The operator of the server sets quotas. To delete a project, use the command line.</p>
${commandLine(['project', 'show'])}`;
  return consolePage(context, { title: 'Settings', body, place: 'settings' });
}
