// Serves the console: pages and forms. Everything that a page shows or a form changes goes through the services
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
} from '@envsnap/console';
import { consolePagePattern, type Operation, operations } from '@envsnap/shared';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import type { RecallAnswer } from '../idempotency/perform.ts';
import { AppError } from '../infra/app-error.ts';
import { RateLimited } from '../infra/http/admission.ts';
import { sendCompressedPage, sendPage } from '../infra/http/compressed-page.ts';
import { readBytes } from '../infra/http/json-body.ts';
import type { CallOperation, Mount } from '../infra/http/mount.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { JsonText } from '../infra/json-text.ts';
import type { Work } from '../work.ts';
import { bodyOf, type FormFields, filledBody, filledPath, isAboutForm, operationForms } from './forms.ts';
import { createProjectPages } from './project-pages.ts';
import { saveForm, takeSavedForm } from './saved-form.ts';
import { createSigningIn, refuseOtherSites, type SigningInDeps, sessionTokenOf } from './signing-in.ts';
import { createSnapshotPages, type SnapshotPageDeps } from './snapshot-pages.ts';
import { createVisit, type MadePage, redirect, type Visit } from './visit.ts';

const base = '/console';

export interface ConsoleDeps extends SnapshotPageDeps, SigningInDeps {
  readonly call: CallOperation;
  readonly serverUrlOf: (request: Request) => string;
  readonly recall: RecallAnswer;
  /** Throws unless key and session of a request are still valid. */
  readonly confirm: (request: Request) => Promise<void>;
}

/** Mounts the operation that makes links; without a console, links are not offered. */
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
    router.post(`${base}/${path}`, page(readForm), page(handler));

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

  const signingIn = createSigningIn(deps, pageContext);
  get('sign-in', signingIn.open);
  post(consoleForms.signIn.action, signingIn.signIn);
  post(consoleForms.signOut.action, visited(signingIn.signOut, 'signOut'));
  post(consoleForms.endSession.action, visited(signingIn.endSession, 'endSession'));
  for (const [path, make] of Object.entries(pages))
    get(
      path,
      visited(async (visit) => send(visit, await make(visit))),
    );
  get(
    'files/:id',
    visited(async ({ request, response }) => {
      await deps.call(request, response, operations.downloadFile, { params: request.params });
    }),
  );
  for (const [name, make] of Object.entries(ofSnapshots.answers)) {
    const handler = async (visit: Visit) =>
      send(visit, await make(visit, bodyOf(visit.request.body as FormFields)));
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
   * Errors are pages too, unless the caller asks for JSON. Unexpected errors are logged, and get a page like all others. A
   * request refused before admission counts like every other.
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
        // If even the caller cannot be read, the error page has no navigation.
        const caller = principal ? await deps.read.apiKeys.current(principal).catch(() => null) : null;
        const shown = { ...pageContext(request), caller };
        sendPage(response, errorPage(shown, { ...body, status, leadsBack: true }), 'same-origin');
      }
    };
  }

  function pageContext(request: Request): PageContext {
    const root = rootOf(pathOf(request));
    return {
      root,
      serverUrl: deps.serverUrlOf(request),
      caller: null,
      now: new Date(contextOf(request).arrivedMs),
    };
  }

  /**
   * Counts a request against the limits of its session's key, and lets the key act for the request. Without a session it counts
   * against the limits of the address.
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
   * Lets signed-in readers through. Others are redirected to the sign-in page, and the form that they sent is kept. Key and role
   * are read at each request.
   */
  function visited(handler: (visit: Visit) => Promise<void>, form?: FormName): RequestHandler {
    return async (request, response) => {
      const sessionId = await admitVisitor(request, response);
      const { principal } = contextOf(request);
      if (sessionId === undefined || principal === undefined) {
        if (form !== undefined) saveForm(request, response, form);
        return leadToSignIn(request, response, form);
      }
      const page = (contextOf(request).route ?? '').slice(base.length + 1);
      const context = {
        ...pageContext(request),
        caller: await deps.read.apiKeys.current(principal),
        done: doneOf(request),
        returned: form === undefined ? takeSavedForm(request, response, page) : undefined,
      };
      await handler(createVisit(request, response, { ...deps, sessionId, context }));
    };
  }

  /** Sends a form to its operation and redirects. If the operation refuses it, the page shows the form again. */
  async function sendForm(visit: Visit, name: FormName, operation: Operation): Promise<void> {
    const { request, response, context } = visit;
    const { next, page, showsOnce = false }: ConsoleForm = consoleForms[name];
    const params = paramsOf(visit, operation);
    const made = showsOnce ? randomUUID() : undefined;
    if (made !== undefined) request.headers['idempotency-key'] = made;
    const fields = request.body as FormFields;
    try {
      await visit.ask(operation, { params, body: async () => filledBody(name, operation, fields) });
    } catch (thrown) {
      if (!(thrown instanceof AppError) || !isAboutForm(thrown)) throw thrown;
      const { body: error } = describeError(thrown, contextOf(request).requestId);
      const shown = { ...visit, context: { ...context, returned: { name, fields, error } } };
      const make = pages[page] as (visit: Visit) => Promise<MadePage>;
      return send(shown, await make(shown));
    }
    const query = made === undefined ? `done=${name}` : `made=${made}`;
    redirect(response, `${context.root}${filledPath(next ?? '', request.params)}?${query}`);
  }
}

const mostFormBytes = 16 * 1024;
const mostFields = 100;

/** Reads the fields of a form; a body of another type has no fields. Errors: `cross_site_forbidden`, and those of a body. */
async function readForm(...[request, , next]: Parameters<RequestHandler>): Promise<void> {
  refuseOtherSites(request);
  const isForm = request.is('application/x-www-form-urlencoded') === 'application/x-www-form-urlencoded';
  const text = isForm ? (await readBytes(request, mostFormBytes)).toString() : '';
  request.body = parseFields(text, '&', '=', { maxKeys: mostFields });
  next();
}

async function send({ request, response }: Visit, page: MadePage): Promise<void> {
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

/** The parameters in an operation's path: those of the form's address, and the project if the path has it. */
function paramsOf({ request, principal }: Visit, { projectParam }: Operation): Record<string, unknown> {
  return { ...request.params, ...(projectParam !== undefined && { [projectParam]: principal.projectId }) };
}

/** Redirects to the sign-in page, which later redirects back to the requested page, or to the page of the form. */
function leadToSignIn(request: Request, response: Response, form: FormName | undefined): void {
  const page =
    form === undefined
      ? request.url.slice(base.length + 1)
      : filledPath(consoleForms[form].page, request.params);
  const next = page !== '' && consolePagePattern.test(page) ? `?next=${encodeURIComponent(page)}` : '';
  redirect(response, `${rootOf(pathOf(request))}sign-in${next}`);
}

function doneOf(request: Request): FormName | undefined {
  const { done } = request.query;
  return typeof done === 'string' && Object.hasOwn(consoleForms, done) ? (done as FormName) : undefined;
}

function pathOf(request: Request): string {
  return contextOf(request).path.slice(base.length + 1);
}
