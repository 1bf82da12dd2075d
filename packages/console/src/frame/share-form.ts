// The form that gives something to strangers: beside a comparison and a snapshot.

import { html, type MarkupContent } from '../markup.ts';
import type { PageContext } from '../page.ts';
import { options } from './parts.ts';
import { postForm } from './post-form.ts';

/** How long a share lasts, in seconds. */
const durations = [
  ['86400', 'for a day'],
  ['604800', 'for a week'],
  ['2592000', 'for 30 days'],
] as const;

/** What is shared: the fields of the form `createShare` beside how long. */
export type SharedThing =
  | { readonly kind: 'snapshot'; readonly snapshotId: string }
  | { readonly kind: 'comparison'; readonly a: string; readonly b: string };

/** The form; nothing for those who may not share. */
export function shareForm(context: PageContext, thing: SharedThing): MarkupContent {
  return postForm(context, 'createShare', {
    label: 'Share with anybody',
    hidden: thing,
    fields: html`<select name="expiresIn" aria-label="How long to share">${options(durations, '604800')}</select> `,
  });
}
