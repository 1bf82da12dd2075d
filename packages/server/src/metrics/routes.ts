// Serves the metrics, on the API's port or a separate one.

import express, { type ErrorRequestHandler, type Express, type IRouter } from 'express';
import type { Clock } from '../infra/clock.ts';
import { createBeginRequest } from '../infra/http/begin-request.ts';
import type { ByteBudget } from '../infra/http/byte-budget.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { endWith, sendError } from '../infra/http/respond.ts';
import type { Metrics } from './metrics.ts';

export function mountMetrics(router: IRouter, metrics: Metrics): void {
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.render();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    endWith(response, text);
  });
}

/** An application that serves nothing but `/metrics`. */
export function createMetricsApp(metrics: Metrics, budget: ByteBudget, clock: Clock): Express {
  const app = express();
  app.disable('x-powered-by');
  app.use(createBeginRequest(() => undefined, budget, clock));
  mountMetrics(app, metrics);
  const fail: ErrorRequestHandler = (error, request, response, _next) =>
    sendError(response, error, contextOf(request).requestId);
  app.use(fail);
  return app;
}
