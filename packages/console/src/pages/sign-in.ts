// Signing in, with an API key.

import type { ErrorBody } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { shellCommand } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface SignInPageData {
  /** Address below the console to go to afterwards, with its query; null for the first page. Whoever reads the form checks it. */
  readonly next: string | null;
  /** Why signing in failed: the answer is 401 then, 429 for `rate_limited`. Null before the first try. */
  readonly error: ErrorBody | null;
}

/** The page at `sign-in`. Its form is `signIn`. */
export function signInPage(context: PageContext, { next, error }: SignInPageData): ConsolePage {
  const body = html`<div class="narrow">
<h1>Sign in to envsnap</h1>
<p>envsnap shows what differs between two environments, and which difference most likely matters.</p>
${error && html`<p class="notice refused" role="alert">${error.error}${error.retryAfter === undefined ? null : html` Try again in ${error.retryAfter} s.`}</p>`}
${postForm(context, 'signIn', {
  label: 'Sign in',
  ...(next === null ? {} : { hidden: { next } }),
  fields: html`<label for="key">API key</label><input id="key" type="password" name="key" required autofocus autocomplete="current-password" spellcheck="false" aria-describedby="key-hint"><p id="key-hint" class="dim">It begins with <code>mk_</code>. The browser never keeps the key, only a session that ends after 12 hours without use.</p>`,
})}
<h2>From a terminal</h2>
<p>This signs in with the key that the command line has:</p>
${shellCommand('envsnap', 'open')}
</div>`;
  const status = error === null ? 200 : error.code === 'rate_limited' ? 429 : 401;
  return consolePage({ ...context, caller: null }, { title: 'Sign in', body, place: null, status });
}
