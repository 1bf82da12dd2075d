// Signs people in to the console and out of it: the session's cookie, the page with its form, and the check that refuses requests
// from other sites. docs/specification.md §18.

import { type PageContext, signInPage } from '@envsnap/console';
import {
  consolePagePattern,
  type ErrorBody,
  isWellFormedApiKey,
  type Operation,
  operations,
  uuid,
} from '@envsnap/shared';
import type { Request, Response } from 'express';
import { AppError } from '../infra/app-error.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import type { Admit } from '../infra/http/admission.ts';
import { sendPage } from '../infra/http/compressed-page.ts';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';
import type { Features } from '../work.ts';
import { readCookie, setCookie } from './cookies.ts';
import type { FormFields } from './forms.ts';
import { hasSavedForm } from './saved-form.ts';
import { sessionLifeMs } from './sessions.ts';
import type { SnapshotPageDeps } from './snapshot-pages.ts';
import { redirect, type Visit } from './visit.ts';

const cookie = 'envsnap';

export interface SigningInDeps extends Pick<SnapshotPageDeps, 'read'> {
  readonly admit: Admit;
  /** Runs changes in one transaction, in the name of a request. */
  readonly transact: <Result>(
    request: Request,
    change: (features: Features) => Promise<Result>,
    operation?: Operation,
  ) => Promise<Result>;
  /** Notes a call with a key that is not recognised. */
  readonly noteUnknownKey: (apiKey: string, origin: RequestOrigin) => Promise<unknown>;
}

/** Handlers of the sign-in page and its form, and of the forms that end a session. */
export function createSigningIn(deps: SigningInDeps, pageContext: (request: Request) => PageContext) {
  return { open, signIn, signOut, endSession };

  async function open(request: Request, response: Response): Promise<void> {
    await deps.admit(request, response, undefined);
    const { link } = request.query;
    // A HEAD request must not use up the link.
    if (typeof link !== 'string' || request.method === 'HEAD') return showSignIn(request, response, null);
    refuseOtherSites(request);
    const { origin } = contextOf(request);
    const followed = await deps.transact(request, async ({ sessions }) => {
      const opened = await sessions.followLink(link, origin);
      if (opened) await sessions.replace(sessionTokenOf(request));
      return opened;
    });
    if (!followed)
      return showSignIn(request, response, {
        error: 'This link has expired, or was already used',
      });
    setSessionCookie(request, response, followed.token);
    redirect(response, `./${followed.page}`);
  }

  async function signIn(request: Request, response: Response): Promise<void> {
    await deps.admit(request, response, undefined);
    const { key } = request.body as FormFields;
    const apiKey = typeof key === 'string' ? key.trim() : '';
    const { origin } = contextOf(request);
    const token = isWellFormedApiKey(apiKey)
      ? await deps.transact(request, async ({ sessions }) => {
          const opened = await sessions.signIn(hashApiKey(apiKey), origin);
          if (opened !== undefined) await sessions.replace(sessionTokenOf(request));
          return opened;
        })
      : undefined;
    if (token === undefined) {
      if (apiKey !== '') await deps.noteUnknownKey(apiKey, origin);
      const details = [{ path: 'key', message: 'is not valid' }];
      return showSignIn(request, response, { error: 'This API key is not valid', details });
    }
    setSessionCookie(request, response, token);
    redirect(response, `./${nextOf(request) ?? ''}`);
  }

  async function showSignIn(
    request: Request,
    response: Response,
    refusal: Pick<ErrorBody, 'error' | 'details'> | null,
  ): Promise<void> {
    const { requestId } = contextOf(request);
    const error: ErrorBody | null = refusal && { ...refusal, code: 'invalid_api_key', requestId };
    const token = sessionTokenOf(request);
    const hasEnded = token !== undefined && (await deps.read.sessions.find(token)) === undefined;
    const keepsForm = hasSavedForm(request);
    const data = { next: nextOf(request) ?? null, error, hasEnded: hasEnded || keepsForm, keepsForm };
    sendPage(response, signInPage(pageContext(request), data), 'same-origin');
  }

  async function signOut({ request, response, principal, sessionId }: Visit): Promise<void> {
    await deps.transact(request, ({ sessions }) => sessions.end(principal.projectId, sessionId));
    setSessionCookie(request, response, null);
    redirect(response, './sign-in');
  }

  async function endSession({ request, response, principal, context }: Visit): Promise<void> {
    const mayEndAll = operations.listKeys.access.some((role) => role === principal.role);
    const apiKeyId = mayEndAll ? undefined : principal.apiKeyId;
    const id = uuid.safeParse(request.params.id).data;
    if (id === undefined) throw new AppError('session_not_found', 'Session not found');
    await deps.transact(
      request,
      ({ sessions }) => sessions.end(principal.projectId, id, apiKeyId),
      mayEndAll ? operations.listKeys : operations.getCurrentKey,
    );
    redirect(response, `${context.root}keys?done=endSession`);
  }
}

/** The page to open after signing in, if it is a page of the console. */
function nextOf(request: Request): string | undefined {
  const { next } = (request.method === 'POST' ? request.body : request.query) as FormFields;
  return typeof next === 'string' && consolePagePattern.test(next) ? next : undefined;
}

export function sessionTokenOf(request: Request): string | undefined {
  return readCookie(request, cookie);
}

function setSessionCookie(request: Request, response: Response, token: string | null): void {
  setCookie(request, response, cookie, token ?? '', token === null ? 0 : sessionLifeMs / 1000);
}

/**
 * Throws `cross_site_forbidden` for a request from another origin, which includes another port. Browsers send its source in
 * `Sec-Fetch-Site`. Over plain HTTP they leave that out, but forms have `Origin`, and links `Referer`. A request with none of
 * them is not from a browser, or a person opened the address.
 */
export function refuseOtherSites(request: Request): void {
  const { 'sec-fetch-site': site, origin, referer, host = '' } = request.headers;
  const from = origin ?? referer;
  const isOwn =
    typeof site === 'string'
      ? site === 'same-origin' || site === 'none'
      : from === undefined || isOriginOf(from, host);
  if (!isOwn)
    throw new AppError(
      'cross_site_forbidden',
      'This form or link came from another site; open the address directly',
    );
}

/** Whether an address is at this host and port. The scheme may be that of a proxy. */
function isOriginOf(address: string, host: string): boolean {
  const { protocol, host: itsHost } = URL.parse(address) ?? {};
  return itsHost !== undefined && itsHost !== '' && itsHost === URL.parse(`${protocol}//${host}`)?.host;
}
