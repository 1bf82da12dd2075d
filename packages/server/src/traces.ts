// Puts traces around requests, the database and deliveries. Loaded only when a collector is set: without one, nothing of it
// costs a request or the start anything.

import type { RequestListener } from 'node:http';
import type { Request } from 'express';
import type { Database } from './infra/db/database.ts';
import { contextOf } from './infra/http/request-context.ts';
import type { Logger } from './infra/logger.ts';
import { openTracing } from './infra/tracing/open-tracing.ts';
import { traceDatabase } from './infra/tracing/trace-database.ts';
import { commit, version } from './version.ts';
import type { Deliver } from './webhooks/deliver.ts';

/** What compose.ts puts traces around. */
export interface Traces {
  watchDatabase(database: Database): void;
  traceDelivery(deliver: Deliver): Deliver;
  traceRequests(listener: RequestListener): RequestListener;
  readonly traceparent: () => string | undefined;
  stop(): Promise<void>;
}

/** Starts tracing by OpenTelemetry's variables. Errors: StartupError for one that cannot be read. */
export function openTraces(env: Readonly<Record<string, string | undefined>>, logger: Logger): Traces {
  const tracing = openTracing(env, { version, commit, logger });
  return {
    watchDatabase: (database) => void traceDatabase(database, tracing),
    // The receiver is sent the span of its attempt.
    traceDelivery: (deliver) => (delivery, signal) => {
      // The rest of the URL may hold a secret.
      const { hostname, port } = new URL(delivery.url);
      const attributes = {
        'http.request.method': 'POST',
        'server.address': hostname,
        'server.port': port === '' ? undefined : Number(port),
        'envsnap.event.id': delivery.eventId,
      };
      return tracing.follow(
        delivery.traceparent,
        { name: 'webhook delivery', attributes },
        (traceparent) => deliver({ ...delivery, traceparent }, signal),
        ({ responseStatus, failure }) => ({
          attributes: {
            'http.response.status_code': responseStatus ?? undefined,
            'error.type': failure?.reason,
          },
          failed: failure !== undefined,
        }),
      );
    },
    traceRequests: (listener) => (request, response) => {
      const method = request.method ?? '';
      tracing.serve(
        request,
        response,
        () => listener(request, response),
        () => {
          const { route, path, address, requestId, principal } = contextOf(request as Request);
          return {
            name: `${method} ${route ?? 'unmatched'}`,
            attributes: {
              'http.request.method': method,
              'http.route': route,
              'http.response.status_code': response.statusCode,
              'url.path': path,
              'url.scheme': 'http',
              'client.address': address,
              'envsnap.request.id': requestId,
              'envsnap.project.id': principal?.projectId,
              'envsnap.api_key.id': principal?.apiKeyId,
            },
            failed: response.statusCode >= 500,
          };
        },
      );
    },
    traceparent: () => tracing.traceparent(),
    stop: () => tracing.stop(),
  };
}
