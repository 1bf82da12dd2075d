// Serves the console: signing in and out, pages, forms. Everything that a page shows or a form changes goes through the services
// and the operations of the API. docs/specification.md §18.

import { randomUUID } from 'node:crypto';
import { parse as parseFields } from 'node:querystring';
import {
  type ConsoleForm,
  consoleForms,
  errorPage,
  type FormName,
  type PageContext,
  rootOf,
  signInPage,
} from '@envsnap/console';
import {
  consolePagePattern,
  type ErrorBody,
  isWellFormedApiKey,
  type Operation,
  operations,
  uuid,
} from '@envsnap/shared';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { RecallAnswer } from '../idempotency/recall.ts';
import { AppError } from '../infra/app-error.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import { type Admit, RateLimited } from '../infra/http/admission.ts';
import { sendCompressedPage, sendPage } from '../infra/http/compressed-page.ts';
import { readBytes } from '../infra/http/json-body.ts';
import type { CallOperation, Mount } from '../infra/http/mount.ts';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { JsonText } from '../infra/json-text.ts';
import type { Features, Work } from '../work.ts';
import { bodyOf, type FormFields, filledPath, isAboutForm, operationForms } from './forms.ts';
import { hasKeptForm, keepForm, takeKeptForm } from './kept-form.ts';
import { createProjectPages } from './project-pages.ts';
import { refuseOtherSites } from './same-site.ts';
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts';
import { createSnapshotPages, type SnapshotPageDeps } from './snapshot-pages.ts';
import { createVisit, type MadePage, type Visit } from './visit.ts';

const base = '/console';

export interface ConsoleDeps extends SnapshotPageDeps {
  readonly admit: Admit;
  readonly call: CallOperation;
  readonly serverUrlOf: (request: Request) => string;
  readonly recall: RecallAnswer;
  /** Runs changes in one transaction, in the name of a request. */
  readonly transact: <Result>(
    request: Request,
    change: (features: Features) => Promise<Result>,
    /** Whoever may not call it any more changes nothing. */
    operation?: Operation,
  ) => Promise<Result>;
  /** Throws unless key and session of a request are still valid. */
  readonly confirm: (request: Request) => Promise<void>;
  /** Takes note of a call with a key that is not recognised. */
  readonly noteUnknownKey: (apiKey: string, origin: RequestOrigin) => Promise<unknown>;
}

/** Mounts the operation that makes links; without a console there is nothing to open. */
export function mountConsoleLinks(
  mount: Mount<Work>,
  isServed: boolean,
  serverUrlOf: (request: Request) => string,
): void {
  mount(operations.createConsoleLink, async ({ body, principal, work, request }) => {
    if (!isServed) throw new AppError('route_not_found', 'This server has no console');
    const url = `${serverUrlOf(request)}${base}`;
    return work.transact(({ sessions }) => sessions.createLink(principal, body.page ?? '', url));
  });
}

export function mountConsole(router: IRouter, deps: ConsoleDeps): void {
  const ofSnapshots = createSnapshotPages(deps);
  const pages: Readonly<Record<string, (visit: Visit) => Promise<MadePage>>> = {
    ...ofSnapshots.pages,
    ...createProjectPages(deps).pages,
  };
  const get = (path: string, handler: RequestHandler) => router.get(`${base}/${path}`, page(handler));
  const post = (path: string, handler: RequestHandler) =>
    router.post(`${base}/${path}`, page(refuseForeign), page(readForm), page(handler));

  const toConsole = (route: string) =>
    page(async (request, response) => {
      contextOf(request).route = route;
      await admitVisitor(request, response);
      redirect(response, 'console/');
    });
  router.get('/', (request, response, next) =>
    request.accepts('json', 'html') === 'html' ? toConsole('/')(request, response, next) : next(),
  );
  router.get(base, (request, response, next) =>
    request.path.endsWith('/') ? next() : toConsole(base)(request, response, next),
  );

  get('sign-in', signInHandler);
  post(consoleForms.signIn.action, signInForm);
  post(consoleForms.signOut.action, visited(signOut, 'signOut'));
  post(consoleForms.endSession.action, visited(endSession, 'endSession'));
  for (const [path, make] of Object.entries(pages)) {
    get(
      path,
      visited(async (visit) => send(visit.request, visit.response, await make(visit))),
    );
  }
  get(
    'files/:id',
    visited(async ({ request, response }) => {
      await deps.call(request, response, operations.downloadFile, { params: request.params });
    }),
  );
  for (const [name, make] of Object.entries(ofSnapshots.answers)) {
    const handler = async (visit: Visit) =>
      send(visit.request, visit.response, await make(visit, bodyOf(visit.request.body as FormFields)));
    const form = name as keyof typeof ofSnapshots.answers;
    post(consoleForms[form].action, visited(handler, form));
  }
  for (const { name, operation } of operationForms)
    post(
      consoleForms[name].action,
      visited((visit) => sendForm(visit, name, operation), name),
    );
  router.use(
    base,
    page(async () => {
      throw new AppError('route_not_found', 'The console has no such page');
    }),
  );

  /**
   * Errors are pages too, unless the caller asks for JSON. What nobody foresaw is logged and answered where all such errors are.
   * What was refused before it was admitted counts like every other request.
   */
  function page(handler: RequestHandler): RequestHandler {
    return async (request, response, next) => {
      contextOf(request).route ??= `${base}${request.route?.path?.slice(base.length) ?? '/*'}`;
      try {
        await handler(request, response, next);
      } catch (thrown) {
        let error = thrown;
        if (!response.hasHeader('X-RateLimit-Limit')) {
          await admitVisitor(request, response).catch((refusal: unknown) => {
            error = refusal;
          });
        }
        if (!(error instanceof AppError) || error.cause || response.headersSent) throw error;
        if (request.accepts('html', 'json') === 'json') throw error;
        if (error instanceof RateLimited) contextOf(request).refusedBy = error.window;
        const { status, headers, body } = describeError(error, contextOf(request).requestId);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        const { principal } = contextOf(request);
        // Where even the caller cannot be read, the error comes without the navigation.
        const caller = principal ? await deps.read.apiKeys.current(principal).catch(() => null) : null;
        const shown = { ...pageContext(request), caller };
        sendPage(response, errorPage(shown, { ...body, status, leadsBack: true }), 'same-origin');
      }
    };
  }

  function pageContext(request: Request): PageContext {
    const root = rootOf(pathOf(request));
    return { root, serverUrl: deps.serverUrlOf(request), caller: null, now: new Date() };
  }

  async function refuseForeign(...[request, , next]: Parameters<RequestHandler>): Promise<void> {
    refuseOtherSites(request);
    next();
  }

  /**
   * Counts a request against the limits of its session's key, and lets the key act for the request; counts against the limits of
   * its address where there is no session.
   */
  async function admitVisitor(request: Request, response: Response): Promise<string | undefined> {
    const token = sessionTokenOf(request);
    const session = token === undefined ? undefined : await deps.read.sessions.find(token);
    await deps.admit(request, response, undefined, session?.key_hash);
    const context = contextOf(request);
    const { principal } = context;
    const isTheirs = session !== undefined && principal?.apiKeyId === session.api_key_id;
    context.principal = isTheirs ? { ...principal, sessionId: session.id } : undefined;
    return isTheirs ? session.id : undefined;
  }

  /**
   * Lets in who is signed in; others are led to sign in, and the form that they send is kept meanwhile. Key and role are those
   * of this moment.
   */
  function visited(handler: (visit: Visit) => Promise<void>, form?: FormName): RequestHandler {
    return async (request, response) => {
      const sessionId = await admitVisitor(request, response);
      const { principal } = contextOf(request);
      if (sessionId === undefined || principal === undefined) {
        if (form !== undefined) keepForm(request, response, form);
        return leadToSignIn(request, response, form);
      }
      const page = (contextOf(request).route ?? '').slice(base.length + 1);
      const context = {
        ...pageContext(request),
        caller: await deps.read.apiKeys.current(principal),
        done: doneOf(request),
        returned: form === undefined ? takeKeptForm(request, response, page) : undefined,
      };
      await handler(createVisit(request, response, { ...deps, sessionId, context }));
    };
  }

  /** Sends a form to its operation, and leads on. A refused one comes back in its page. */
  async function sendForm(visit: Visit, name: FormName, operation: Operation): Promise<void> {
    const { request, response, context } = visit;
    const { next, page, showsOnce = false }: ConsoleForm = consoleForms[name];
    const params = paramsOf(visit, operation);
    const made = showsOnce ? randomUUID() : undefined;
    if (made !== undefined) request.headers['idempotency-key'] = made;
    const fields = request.body as FormFields;
    try {
      await visit.ask(operation, { params, body: async () => bodyOf(fields) });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !isAboutForm(thrown)) throw thrown;
      const { body: error } = describeError(thrown, contextOf(request).requestId);
      const shown = { ...visit, context: { ...context, returned: { name, fields, error } } };
      const make = pages[page] as (visit: Visit) => Promise<MadePage>;
      return send(request, response, await make(shown));
    }
    const query = made === undefined ? `done=${name}` : `made=${made}`;
    redirect(response, `${context.root}${filledPath(next ?? '', request.params)}?${query}`);
  }

  async function signInHandler(request: Request, response: Response): Promise<void> {
    await deps.admit(request, response, undefined);
    const { link } = request.query;
    // A look at the headers opens nothing.
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
        error: 'This link has expired, or somebody has used it already',
      });
    setSessionCookie(request, response, followed.token);
    redirect(response, `./${followed.page}`);
  }

  async function signInForm(request: Request, response: Response): Promise<void> {
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
    const keepsForm = hasKeptForm(request);
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

const mostFormBytes = 16 * 1024;
const mostFields = 100;

/** Reads the fields of a form; what is sent as something else has none. Errors: those of a body. */
async function readForm(...[request, , next]: Parameters<RequestHandler>): Promise<void> {
  const isForm = request.is('application/x-www-form-urlencoded') === 'application/x-www-form-urlencoded';
  const text = isForm ? (await readBytes(request, mostFormBytes)).toString() : '';
  request.body = parseFields(text, '&', '=', { maxKeys: mostFields });
  next();
}

async function send(request: Request, response: Response, page: MadePage): Promise<void> {
  if (!(page instanceof JsonText)) return sendPage(response, page, 'same-origin');
  const { status, packed, contentSecurityPolicy } = JSON.parse(page.text) as {
    status: number;
    packed: string;
    contentSecurityPolicy: string;
  };
  const bytes = Buffer.from(packed, 'base64');
  await sendCompressedPage(
    request,
    response,
    { status, packed: bytes, contentSecurityPolicy },
    'same-origin',
  );
}

/** What an operation's path names: the parameters of the form's address, and the project where it names that. */
function paramsOf({ request, principal }: Visit, { projectParam }: Operation): Record<string, unknown> {
  return { ...request.params, ...(projectParam !== undefined && { [projectParam]: principal.projectId }) };
}

/** Leads to the sign-in page, which leads back to the page that was asked for, or that the form is in. */
function leadToSignIn(request: Request, response: Response, form: FormName | undefined): void {
  const page =
    form === undefined
      ? request.url.slice(base.length + 1)
      : filledPath(consoleForms[form].page, request.params);
  const next = page !== '' && consolePagePattern.test(page) ? `?next=${encodeURIComponent(page)}` : '';
  redirect(response, `${rootOf(pathOf(request))}sign-in${next}`);
}

/** Redirects are relative: whatever prefix a proxy puts before the console stays. */
function redirect(response: Response, location: string): void {
  response.statusCode = 303;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'same-origin');
  response.end();
}

/** Where to go after signing in, when that is a page of the console. */
function nextOf(request: Request): string | undefined {
  const { next } = (request.method === 'POST' ? request.body : request.query) as FormFields;
  return typeof next === 'string' && consolePagePattern.test(next) ? next : undefined;
}

function doneOf(request: Request): FormName | undefined {
  const { done } = request.query;
  return typeof done === 'string' && Object.hasOwn(consoleForms, done) ? (done as FormName) : undefined;
}

/** The address below the console. */
function pathOf(request: Request): string {
  return contextOf(request).path.slice(base.length + 1);
}
