// The page for errors.

import type { ErrorBody } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  403: 'Not allowed',
  404: 'Not found',
  409: 'This conflicts with another change',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Not available at the moment',
};

/** The advice for the error's code, or for its status. */
const advice: Readonly<Record<string, string>> = {
  role_forbidden: 'Ask an owner or admin of the project to do it, or to give your key another role.',
  cross_site_forbidden: 'Open the page in the console itself, and send the form from there.',
  route_not_found: 'Check the address, or choose a page above.',
  too_much_work: 'Compare fewer snapshots, or make the policy simpler.',
  400: 'Go back, check what you entered, and send it again.',
  404: 'It may have been deleted, or the address may be incomplete.',
  409: 'Load the page again and see what has changed.',
  413: 'Send less at once.',
  503: 'Nothing is lost. Try again in a moment.',
};

/** The page for an error, with its HTTP status. Signed-in readers keep the navigation; others get a link to sign in. */
export function errorPage(
  context: PageContext,
  error: ErrorBody & { readonly status: number; readonly leadsBack?: boolean },
): ConsolePage {
  const { status, details = [], retryAfter } = error;
  const title = titles[status] ?? 'Something went wrong';
  const next = advice[error.code] ?? advice[status];
  const body = html`<div class="narrow">
<h1>${title}</h1>
<p>${error.error}</p>
${details.length < 2 ? null : html`<ul>${details.map(({ path, message }) => html`<li>${path === '' ? null : html`<code>${path}</code> `}${message}</li>`)}</ul>`}
${retryAfter === undefined ? next && html`<p>${next}</p>` : html`<p>Try again in ${retryAfter} s.</p>`}
${error.leadsBack && html`<p><a href="${context.root}">Go to the start page</a></p>`}
<p class="dim">${status} <code>${error.code}</code>, request <code>${error.requestId}</code></p>
</div>`;
  const shown = { ...context, done: undefined, returned: undefined };
  return consolePage(shown, { title, body, place: null, status });
}
