// The HTTP application: the order of its steps, and its responses when something fails.

import type { RequestListener } from 'node:http';
import { errorCodes, type Operation, operations } from '@envsnap/shared';
import express, {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express';
import { descriptionPaths, mountApiDescription } from './api-description/routes.ts';
import { type BootstrapPolicy, warnWhenForwarded } from './api-keys/bootstrap-policy.ts';
import { mountApiKeys } from './api-keys/routes.ts';
import type { NoteDisclosure } from './audit/disclosures.ts';
import { mountAudit } from './audit/routes.ts';
import type { NoteWrongToken } from './audit/sign-in-failures.ts';
import { type ConsoleDeps, mountConsole, mountConsoleLinks } from './console/routes.ts';
import { mountDiagnosis } from './diagnosis/routes.ts';
import type { Blobs } from './files/blobs.ts';
import { mountFiles } from './files/routes.ts';
import { mountFingerprintKeys } from './fingerprints/routes.ts';
import { mountProjectHealth } from './health/routes.ts';
import { AppError } from './infra/app-error.ts';
import type { Clock } from './infra/clock.ts';
import { type Admit, RateLimited } from './infra/http/admission.ts';
import {
  createBeginRequest,
  type OnFinished,
  originForm,
  sharePathStart,
} from './infra/http/begin-request.ts';
import type { ByteBudget } from './infra/http/byte-budget.ts';
import { isDirectCaller } from './infra/http/direct-caller.ts';
import { createMount, type MountSteps } from './infra/http/mount.ts';
import { contextOf } from './infra/http/request-context.ts';
import { sendError } from './infra/http/respond.ts';
import { createServerUrlOf } from './infra/http/server-url.ts';
import type { Logger } from './infra/logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import { mountMetrics } from './metrics/routes.ts';
import { mountProjects, type ProjectCreation } from './projects/routes.ts';
import type { Readiness } from './service/readiness.ts';
import { mountService } from './service/routes.ts';
import type { SharePageRow } from './shares/repository.ts';
import { mountSharePages, mountShares } from './shares/routes.ts';
import type { Intake } from './snapshots/intake.ts';
import { mountSnapshots } from './snapshots/routes.ts';
import { mountTeam } from './team/routes.ts';
import { mountUsage } from './usage/routes.ts';
import type { Deliveries } from './webhooks/deliveries.ts';
import { mountWebhooks } from './webhooks/routes.ts';
import type { Work } from './work.ts';

export interface AppDeps extends MountSteps<Work> {
  readonly admit: Admit;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Whether an address is a proxy whose `X-Forwarded-For` counts; undefined once the connection is gone. */
  readonly isTrustedProxy: (address: string | undefined) => boolean;
  readonly basePathOf: (request: Request) => string;
  readonly cors: RequestHandler | undefined;
  readonly findSharePage: (token: string) => Promise<SharePageRow | undefined>;
  readonly intake: Intake;
  readonly budget: ByteBudget;
  /** Whether a database error says that the parent of a row is gone. */
  readonly isOwnerGone: (error: unknown) => boolean;
  readonly onFinished: OnFinished;
  readonly bootstrapPolicy: BootstrapPolicy;
  readonly noteWrongToken: NoteWrongToken;
  readonly noteDisclosure: NoteDisclosure;
  readonly projectCreation: ProjectCreation;
  /** Served to direct callers of this machine, unless undefined. */
  readonly metrics: Metrics | undefined;
  readonly console:
    | Pick<ConsoleDeps, 'read' | 'jobs' | 'transact' | 'confirm' | 'noteUnknownKey' | 'recall'>
    | undefined;
  readonly deliveries: Deliveries;
  readonly blobs: Blobs;
  readonly afterWebhookDeleted: () => Promise<void>;
  readonly afterProjectDeleted: (projectId: string) => Promise<void>;
  /** Throws `database_unavailable` or `shutting_down` when requests cannot be served. */
  readonly checkReady: Readiness['check'];
}

/** Creates the application. It does not listen yet. */
export function createApp(deps: AppDeps): RequestListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.isTrustedProxy);
  app.use(createBeginRequest(deps.onFinished, deps.budget, deps.clock));
  app.use(warnWhenForwarded(deps.bootstrapPolicy, deps.logger));
  if (deps.cors) app.use(deps.cors);

  /** Routes besides the operations, open to everybody. */
  const documents = [...descriptionPaths, `${sharePathStart}:token`];
  const unserved = createUnserved([
    ...Object.values(operations),
    ...documents.map((path) => ({ path, method: 'GET' as const })),
  ]);
  const refuse: RequestHandler = async (request, response) => {
    await deps.admit(request, response, undefined);
    unserved.refuse(request);
  };
  app.use((request, response, next) =>
    unserved.isUnserved(request) ? refuse(request, response, next) : next(),
  );

  const router = Router();
  const { mount, call } = createMount<Work>(router, deps);
  mountService(mount, deps.checkReady);
  router.get(descriptionPaths, async (request, response, next) => {
    await deps.admit(request, response, operations.getHealth);
    next();
  });
  // The most frequent routes come first, because the router tries one after the other.
  mountSnapshots(mount, deps.intake, deps.noteDisclosure);
  mountDiagnosis(mount, deps.noteDisclosure);
  mountProjectHealth(mount);
  mountFingerprintKeys(mount, deps.noteDisclosure);
  mountAudit(mount);
  mountUsage(mount);
  mountApiDescription(router, deps.basePathOf);
  if (deps.metrics) {
    // Everybody else gets 404.
    router.get('/metrics', async (request, response, next) => {
      if (!isDirectCaller(request)) return next('router');
      await deps.admit(request, response, operations.getHealth);
      next();
    });
    mountMetrics(router, deps.metrics);
  }
  mountApiKeys(mount, deps.bootstrapPolicy, deps.noteWrongToken);
  mountProjects(mount, deps.projectCreation, deps.afterProjectDeleted);
  const serverUrlOf = createServerUrlOf(deps.basePathOf);
  mountShares(mount, serverUrlOf);
  mountConsoleLinks(mount, deps.console !== undefined, serverUrlOf);
  mountSharePages(router, { admit: deps.admit, findPage: deps.findSharePage, serverUrlOf });
  mountTeam(mount);
  mountWebhooks(mount, deps.deliveries, deps.afterWebhookDeleted, (request) =>
    deps.console ? `${serverUrlOf(request)}/console/` : null,
  );
  mountFiles(mount, deps.blobs, deps.noteDisclosure);
  if (deps.console) mountConsole(router, { ...deps, ...deps.console, call, serverUrlOf });
  app.use(router);
  app.use(refuse);
  app.use(createErrorHandler(deps));
  return (request, response) => {
    // Express itself responds to a target that it cannot parse, before any of these steps.
    request.url = originForm(request.url ?? '/');
    app(request as Request, response as Response, (error: unknown) => {
      // Reached only if the error handler failed as well. Express would print the raw stack into the log.
      deps.logger.error({ err: error }, 'request failed');
      response.destroy();
    });
  };
}

/** Every error ends here: the caller gets its code and text, and the log gets its cause. */
function createErrorHandler(deps: AppDeps): ErrorRequestHandler {
  return async (thrown: unknown, request, response, _next) => {
    const { requestId, operation } = contextOf(request);
    let error = thrown instanceof AppError ? thrown : (fromExpress(thrown) ?? thrown);
    if (!(error instanceof AppError)) error = (await whenProjectIsGone(error, request, deps)) ?? error;
    // A request that was refused before it reached an operation counts like any other.
    if (!response.hasHeader('X-RateLimit-Limit')) {
      await deps.admit(request, response, undefined).catch((refusal: unknown) => {
        error = refusal;
      });
    }
    if (error instanceof RateLimited) contextOf(request).refusedBy = error.window;
    const known = error instanceof AppError ? error : undefined;
    if (!known || known.code === 'internal_error' || known.cause) {
      const level = known && errorCodes[known.code].status !== 500 ? 'warn' : 'error';
      deps.logger[level](
        { requestId, operation: operation?.name, err: known?.cause ?? error },
        'request failed',
      );
    }
    sendError(response, error, requestId);
  };
}

/** If the caller's project was deleted in the meantime, the failure becomes the error that its keys get from now on. */
async function whenProjectIsGone(
  error: unknown,
  request: Request,
  { isOwnerGone, projectExists }: AppDeps,
): Promise<AppError | undefined> {
  const { principal } = contextOf(request);
  if (!principal) return undefined;
  // A deletion that is being committed is not visible yet, but already refuses rows.
  const exists = !isOwnerGone(error) && (await projectExists(principal.projectId).catch(() => true));
  return exists ? undefined : new AppError('invalid_api_key', 'Invalid API key');
}

/** Express's own refusals: a path that cannot be decoded. */
function fromExpress(error: unknown): AppError | undefined {
  const isClientError = error instanceof Error && 'status' in error && error.status === 400;
  return isClientError ? new AppError('malformed_request', 'The path cannot be decoded') : undefined;
}

/** Knows what the operations serve. */
function createUnserved(operations: readonly Pick<Operation, 'path' | 'method'>[]) {
  const served = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  for (const { path, method } of operations) {
    const pattern = new RegExp(`^${path.replace(/:[A-Za-z]+/g, '[^/]+')}/?$`, 'i');
    const { methods } = served.get(path) ?? { methods: new Set<string>() };
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
    served.set(path, { pattern, methods });
  }

  /** The templates that a path matches, with their methods. If one of them has no parameters, only that one. */
  function matching({ path }: Request) {
    const matches = [...served].filter(([, { pattern }]) => pattern.test(path));
    const fixed = matches.filter(([route]) => !route.includes(':'));
    return fixed.length > 0 ? fixed : matches;
  }

  return {
    /**
     * Whether routing would go wrong: a path such as `/machine/keys/current` that exists, but not with this method, must not be
     * taken for a path with an id; and Express would respond to OPTIONS itself.
     */
    isUnserved(request: Request) {
      const [first] = matching(request);
      const isFixed = first !== undefined && !first[0].includes(':');
      return request.method === 'OPTIONS' || (isFixed && !first[1].methods.has(request.method));
    },
    /** Throws `route_not_found` or `method_not_allowed`. */
    refuse(request: Request) {
      const routes = matching(request);
      const [first] = routes;
      if (!first) throw new AppError('route_not_found', 'No operation has this path');
      contextOf(request).route = first[0];
      const allow = [...new Set(routes.flatMap(([, { methods }]) => [...methods]))].sort().join(', ');
      const text = `Method ${request.method} is not allowed here; use ${allow}`;
      throw new AppError('method_not_allowed', text, undefined, { headers: { Allow: allow } });
    },
  };
}
