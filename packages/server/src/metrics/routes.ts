// Serves the metrics, with the API or on a port of their own.

import express, { type Express, type IRouter } from 'express';
import type { Metrics } from './metrics.ts';

export function mountMetrics(router: IRouter, metrics: Metrics): void {
  router.get('/metrics', async (_request, response) => {
    const text = await metrics.render();
    response.setHeader('Content-Type', metrics.contentType);
    response.setHeader('Cache-Control', 'no-store');
    response.end(text);
  });
}

/** An application that serves nothing but `/metrics`. */
export function createMetricsApp(metrics: Metrics): Express {
  const app = express();
  app.disable('x-powered-by');
  mountMetrics(app, metrics);
  return app;
}
