// The page for what went wrong.

import type { ErrorBody } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

const titles: Readonly<Record<number, string>> = {
  400: 'This request is not valid',
  403: 'Not allowed',
  404: 'Not found',
  409: 'This conflicts with something else',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Not available at the moment',
};

/** A page for an error, with its HTTP status and, inside the console, the way back. Shares that have ended are a 404 like any other. */
export function errorPage(
  context: PageContext,
  error: ErrorBody & { readonly status: number; readonly leadsBack?: boolean },
): ConsolePage {
  const { status, details = [], retryAfter } = error;
  const title = titles[status] ?? 'Something went wrong';
  const body = html`<div class="narrow">
<h1>${title}</h1>
<p>${error.error}</p>
${details.length === 0 ? null : html`<ul>${details.map(({ path, message }) => html`<li>${path === '' ? null : html`<code>${path}</code> `}${message}</li>`)}</ul>`}
${retryAfter === undefined ? null : html`<p>Try again in ${retryAfter} s.</p>`}
${error.leadsBack ? html`<p><a href="${context.root}">Back to the machines</a></p>` : null}
<p class="dim">${status} <code>${error.code}</code>, request <code>${error.requestId}</code></p>
</div>`;
  return consolePage({ ...context, notice: undefined }, { title, body, place: null, status });
}
