// Serves the console: signing in and out, pages, forms. Everything that a page shows or a form changes goes through the services
// and the operations of the API. docs/specification.md §18.

import {
  type ConsoleForm,
  consoleForms,
  errorPage,
  type FormName,
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
import express, { type IRouter, type Request, type RequestHandler, type Response } from 'express';
import { AppError } from '../infra/app-error.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import { type Admit, RateLimited } from '../infra/http/admission.ts';
import { sendCompressedPage, sendPage } from '../infra/http/compressed-page.ts';
import type { CallOperation, Mount } from '../infra/http/mount.ts';
import { contextOf, type RequestOrigin } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { JsonText } from '../infra/json-text.ts';
import type { Features, Work } from '../work.ts';
import { bodyOf, type FormFields, formOperations } from './forms.ts';
import { createProjectPages } from './project-pages.ts';
import { refuseOtherSites } from './same-site.ts';
import { sessionTokenOf, setSessionCookie } from './session-cookie.ts';
import type { SessionKeyRow } from './session-repository.ts';
import { createSnapshotPages, type SnapshotPageDeps } from './snapshot-pages.ts';
import { createVisit, type MadePage, type Visit } from './visit.ts';

const base = '/console';

export interface ConsoleDeps extends SnapshotPageDeps {
  readonly admit: Admit;
  readonly call: CallOperation;
  readonly serverUrlOf: (request: Request) => string;
  /** Runs changes in one transaction, in the name of a request. */
  readonly transact: <Result>(
    request: Request,
    change: (features: Features) => Promise<Result>,
    /** Whoever may not call it any more changes nothing. */
    operation?: Operation,
  ) => Promise<Result>;
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
  const ofProject = createProjectPages(deps);
  const pages = { ...ofSnapshots.pages, ...ofProject.pages };
  const made = { ...ofSnapshots.made, ...ofProject.made };
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
  post(consoleForms.signOut.action, visited(signOut));
  post(consoleForms.endSession.action, visited(endSession));
  for (const [path, make] of Object.entries(pages)) {
    get(
      path,
      visited(async (visit) => send(visit.request, visit.response, await make(visit))),
    );
  }
  for (const [name, make] of Object.entries(made)) {
    const handler = visited(async (visit) =>
      send(visit.request, visit.response, await make(visit, bodyOf(visit.request.body as FormFields))),
    );
    post(consoleForms[name as keyof typeof made].action, handler);
  }
  for (const [name, operation] of Object.entries(formOperations)) {
    const form = name as keyof typeof formOperations;
    post(
      consoleForms[form].action,
      visited((visit) => sendForm(visit, form, operation)),
    );
  }
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
        const root = rootOf(pathOf(request));
        const shown = { root, serverUrl: deps.serverUrlOf(request), caller: null, now: new Date() };
        sendPage(response, errorPage(shown, { ...body, status, leadsBack: true }), 'same-origin');
      }
    };
  }

  async function refuseForeign(...[request, , next]: Parameters<RequestHandler>): Promise<void> {
    refuseOtherSites(request);
    next();
  }

  /** Counts a request against the limits of its session's key; of its address where there is none. */
  async function admitVisitor(request: Request, response: Response): Promise<SessionKeyRow | undefined> {
    const token = sessionTokenOf(request);
    const session = token === undefined ? undefined : await deps.read.sessions.find(token);
    await deps.admit(request, response, undefined, session?.key_hash);
    return session;
  }

  /** Lets in who is signed in; others are led to sign in. Key and role are those of this moment. */
  function visited(handler: (visit: Visit) => Promise<void>): RequestHandler {
    return async (request, response) => {
      const session = await admitVisitor(request, response);
      const context = contextOf(request);
      const { principal } = context;
      const root = rootOf(pathOf(request));
      if (!session || principal?.apiKeyId !== session.api_key_id) {
        context.principal = undefined;
        return leadToSignIn(request, response, root);
      }
      context.principal = { ...principal, sessionId: session.id };
      const visit = createVisit(request, response, {
        ...deps,
        root,
        sessionId: session.id,
        caller: await deps.read.apiKeys.current(principal),
        serverUrl: deps.serverUrlOf(request),
        done: doneOf(request),
      });
      await handler(visit);
    };
  }

  async function signInHandler(request: Request, response: Response): Promise<void> {
    await deps.admit(request, response, undefined);
    const { link } = request.query;
    // A look at the headers opens nothing.
    if (typeof link !== 'string' || request.method === 'HEAD') return showSignIn(request, response, null);
    refuseOtherSites(request);
    const { origin } = contextOf(request);
    const followed = await deps.transact(request, ({ sessions }) => sessions.followLink(link, origin));
    if (!followed)
      return showSignIn(request, response, 'This link has expired, or somebody has used it already');
    setSessionCookie(request, response, followed.token);
    redirect(response, `./${followed.page}`);
  }

  async function signInForm(request: Request, response: Response): Promise<void> {
    await deps.admit(request, response, undefined);
    const { key } = request.body as FormFields;
    const apiKey = typeof key === 'string' ? key.trim() : '';
    const { origin } = contextOf(request);
    const token = isWellFormedApiKey(apiKey)
      ? await deps.transact(request, ({ sessions }) => sessions.signIn(hashApiKey(apiKey), origin))
      : undefined;
    if (token === undefined) {
      if (apiKey !== '') await deps.noteUnknownKey(apiKey, origin);
      return showSignIn(request, response, 'This API key is not valid');
    }
    setSessionCookie(request, response, token);
    redirect(response, `./${nextOf(request) ?? ''}`);
  }

  async function showSignIn(request: Request, response: Response, refusal: string | null): Promise<void> {
    const { requestId } = contextOf(request);
    const error: ErrorBody | null =
      refusal === null ? null : { error: refusal, code: 'invalid_api_key', requestId };
    const context = { root: './', serverUrl: deps.serverUrlOf(request), caller: null, now: new Date() };
    sendPage(response, signInPage(context, { next: nextOf(request) ?? null, error }), 'same-origin');
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

const parseForm = express.urlencoded({ extended: false, limit: 16 * 1024, parameterLimit: 100 });

/** Reads the fields of a form; what is sent as something else has none. Errors: `body_too_large`, `malformed_request`. */
async function readForm(...[request, response, next]: Parameters<RequestHandler>): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    parseForm(request, response, (error?: { readonly status?: number }) => {
      if (error === undefined) resolve();
      else if (error.status === 413) reject(new AppError('body_too_large', 'The form is too large'));
      else reject(new AppError('malformed_request', 'The form cannot be read'));
    });
  });
  request.body ??= {};
  next();
}

/** Sends a form to its operation, and leads on. */
async function sendForm(visit: Visit, name: FormName, operation: Operation): Promise<void> {
  const { request, response, principal, context } = visit;
  const params = { ...request.params, projectId: principal.projectId };
  await visit.ask(operation, { params, body: async () => bodyOf(request.body as FormFields) });
  const { next } = consoleForms[name] as ConsoleForm;
  const path = (next ?? '').replace(/:(\w+)/g, (_, param: string) => String(request.params[param]));
  redirect(response, `${context.root}${path}?done=${name}`);
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

function leadToSignIn(request: Request, response: Response, root: string): void {
  const page = request.method === 'GET' ? request.url.slice(base.length + 1) : '';
  const next = page !== '' && consolePagePattern.test(page) ? `?next=${encodeURIComponent(page)}` : '';
  redirect(response, `${root}sign-in${next}`);
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
