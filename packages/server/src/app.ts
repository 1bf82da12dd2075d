// The HTTP application: the order of its steps, and its answers when something fails.

import { operations } from '@envsnap/shared';
import express, { type ErrorRequestHandler, type Express, Router } from 'express';
import { mountApiDescription } from './api-description/routes.ts';
import type { BootstrapPolicy } from './api-keys/bootstrap-policy.ts';
import { mountApiKeys } from './api-keys/routes.ts';
import type { Blobs } from './files/blobs.ts';
import { mountFiles } from './files/routes.ts';
import type { Perform } from './idempotency/perform.ts';
import { AppError } from './infra/app-error.ts';
import type { Admit } from './infra/http/admission.ts';
import { createBeginRequest, type OnFinished } from './infra/http/begin-request.ts';
import type { ReadJsonBody } from './infra/http/json-body.ts';
import { createMount } from './infra/http/mount.ts';
import { createNotFoundHandler } from './infra/http/not-found.ts';
import { contextOf } from './infra/http/request-context.ts';
import { sendError } from './infra/http/respond.ts';
import type { Logger } from './infra/logger.ts';
import type { Metrics } from './metrics/metrics.ts';
import { mountMetrics } from './metrics/routes.ts';
import { mountProjects } from './projects/routes.ts';
import { mountService } from './service/routes.ts';
import { mountSnapshots } from './snapshots/routes.ts';
import { mountTeam } from './team/routes.ts';
import { mountUsage } from './usage/routes.ts';
import type { ManualDelivery } from './webhooks/manual-delivery.ts';
import { mountWebhooks } from './webhooks/routes.ts';
import type { Work } from './work.ts';

export interface AppDeps {
  readonly logger: Logger;
  /** Whether an address is a proxy whose `X-Forwarded-For` counts. */
  readonly isTrustedProxy: (address: string) => boolean;
  readonly admit: Admit;
  readonly perform: Perform;
  readonly readJsonBody: ReadJsonBody;
  readonly projectExists: (projectId: string) => Promise<boolean>;
  readonly onFinished: OnFinished;
  readonly bootstrapPolicy: BootstrapPolicy;
  /** Served with the API, unless undefined. */
  readonly metrics: Metrics | undefined;
  readonly manualDelivery: ManualDelivery;
  readonly blobs: Blobs;
  readonly afterProjectDeleted: (projectId: string) => void;
  /** Throws `database_unavailable` or `shutting_down` when requests cannot be served. */
  readonly checkReady: () => Promise<void>;
}

/** Creates the application. It listens to nothing by itself. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', deps.isTrustedProxy);
  app.use(createBeginRequest(deps.onFinished));

  const router = Router();
  const mount = createMount<Work>(router, deps);
  mountService(mount, deps.checkReady);
  /** What is served beside the operations, open to everybody. */
  const documents = ['/openapi.json', '/docs', ...(deps.metrics ? ['/metrics'] : [])];
  router.get(documents, async (request, response, next) => {
    await deps.admit(request, response, operations.getHealth);
    next();
  });
  mountApiDescription(router);
  if (deps.metrics) mountMetrics(router, deps.metrics);
  mountApiKeys(mount, deps.bootstrapPolicy);
  mountProjects(mount, deps.afterProjectDeleted);
  mountTeam(mount);
  mountSnapshots(mount);
  mountWebhooks(mount, deps.manualDelivery);
  mountFiles(mount, deps.blobs);
  mountUsage(mount);
  app.use(router);

  const notFound = createNotFoundHandler([
    ...Object.values(operations),
    ...documents.map((path) => ({ path, method: 'GET' as const })),
  ]);
  app.use(async (request, response, next) => {
    await deps.admit(request, response, undefined);
    notFound(request, response, next);
  });
  app.use(createErrorHandler(deps.logger));
  return app;
}

/** Every error ends here: the caller gets its code and text, the log its cause. */
function createErrorHandler(logger: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    const { requestId, operation } = contextOf(request);
    const known = error instanceof AppError ? error : fromExpress(error);
    if (!known || known.code === 'internal_error' || known.cause) {
      const level = known && known.code !== 'internal_error' ? 'warn' : 'error';
      logger[level]({ requestId, operation: operation?.name, err: known?.cause ?? error }, 'request failed');
    }
    sendError(response, known ?? error, requestId);
  };
}

/** Express's own refusals: a path that cannot be decoded. */
function fromExpress(error: unknown): AppError | undefined {
  const isClientError = error instanceof Error && 'status' in error && error.status === 400;
  return isClientError ? new AppError('malformed_request', 'The path cannot be decoded') : undefined;
}
