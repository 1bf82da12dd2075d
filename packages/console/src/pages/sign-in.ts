// Signing in, with an API key.

import type { ErrorBody } from '@envsnap/shared';
import { consolePage } from '../frame/document.ts';
import { formField } from '../frame/field.ts';
import { shellCommand } from '../frame/parts.ts';
import { postForm } from '../frame/post-form.ts';
import { html } from '../markup.ts';
import type { ConsolePage, PageContext } from '../page.ts';

export interface SignInPageData {
  /** Address below the console to go to afterwards, with its query; null for the first page. The reader of the form checks it. */
  readonly next: string | null;
  /** Why signing in failed: the status is then 401, or 429 for `rate_limited`. Null before the first try. */
  readonly error: ErrorBody | null;
  /** The browser comes with a session that has ended. Default false. */
  readonly hasEnded?: boolean;
  /** A form with its input waits until somebody signs in. Default false. */
  readonly keepsForm?: boolean;
}

/** The page at `sign-in`. Its form is `signIn`. */
export function signInPage(context: PageContext, data: SignInPageData): ConsolePage {
  const { next, error, hasEnded = false, keepsForm = false } = data;
  const problem =
    error && `${error.error}.${error.retryAfter === undefined ? '' : ` Try again in ${error.retryAfter} s.`}`;
  const isAboutKey = error?.details !== undefined;
  const returned = isAboutKey ? { name: 'signIn' as const, fields: {}, error } : undefined;
  const body = html`<div class="narrow">
<h1>Sign in to envsnap</h1>
<p>envsnap shows what differs between two environments, and which difference most likely matters.</p>
${hasEnded && problem === null && html`<p class="notice caution" role="status">Your session has ended. Sign in again to continue${keepsForm ? '. Your input is kept, and nothing has been sent' : ' where you were'}.</p>`}
${problem !== null && !isAboutKey && html`<p class="notice refused" role="alert">${problem}</p>`}
${postForm(context, 'signIn', {
  label: 'Sign in',
  ...(next === null ? {} : { hidden: { next } }),
  fields: formField({ ...context, returned }, 'signIn', {
    name: 'key',
    hint: html`It begins with <code>mk_</code>. The browser never keeps the key, only a session that ends after 12 hours without use.`,
    control: (own) =>
      html`<input${own} type="password"${returned === undefined && html` autofocus`} autocomplete="current-password" spellcheck="false">`,
  }),
})}
<h2>From a terminal</h2>
<p>This signs in with the key of the command line:</p>
${shellCommand('envsnap', 'open')}
</div>`;
  const status = error === null ? 200 : error.code === 'rate_limited' ? 429 : 401;
  return consolePage({ ...context, caller: null }, { title: 'Sign in', body, place: null, status });
}
