// The form that shares a comparison or a snapshot with people who have no key.

import { html, type MarkupContent } from '../markup.ts';
import type { PageContext } from '../page.ts';
import { selectField } from './field.ts';
import { postForm } from './post-form.ts';

const durations = [
  ['86400', 'a day'],
  ['604800', 'a week'],
  ['2592000', '30 days'],
] as const;

/** The refused form, if it is shown again. */
export function returnedShareForm(context: PageContext): MarkupContent {
  const { returned } = context;
  if (returned?.name !== 'createShare') return null;
  const { expiresIn: _, ...thing } = returned.fields;
  const sent = Object.entries(thing).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return html`<section><h2>Share</h2>${shareForm(context, Object.fromEntries(sent))}</section>`;
}

/** The form, or nothing for those who may not share. `thing` holds its fields besides the expiry. */
export function shareForm(context: PageContext, thing: Readonly<Record<string, string>>): MarkupContent {
  return postForm(context, 'createShare', {
    label: 'Share with anyone',
    hidden: thing,
    fields: selectField(context, 'createShare', 'expiresIn', durations, '604800'),
  });
}
