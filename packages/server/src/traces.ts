// Traces requests, the database and deliveries. Loaded only if a collector is set, so that otherwise it costs nothing.

import type { RequestListener } from 'node:http';
import type { Request } from 'express';
import type { Database, Executor } from './infra/db/database.ts';
import { type AnyQuery, compile } from './infra/db/statement.ts';
import { contextOf } from './infra/http/request-context.ts';
import type { Logger } from './infra/logger.ts';
import { openTracing } from './infra/tracing/open-tracing.ts';
import type { Tracing } from './infra/tracing/tracing.ts';
import { commit, version } from './version.ts';
import type { Deliver } from './webhooks/deliver.ts';

/** The parts that compose.ts traces. */
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
    // The receiver gets the span of its attempt.
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

type AnyCall = (query: AnyQuery, params?: unknown) => Promise<unknown>;
type Reading = 'all' | 'get' | 'run';

/** Makes spans of everything that the database does from now on. Returns the same database. */
function traceDatabase(database: Database, tracing: Tracing): Database {
  const { dialect } = database;
  const system = dialect.name;

  function traced(call: AnyCall): AnyCall {
    return (query, params) => {
      if (tracing.traceparent() === undefined) return call(query, params);
      const text = compile(query, dialect, params).sql;
      const attributes = { 'db.system.name': system, 'db.query.text': text };
      return tracing.within(nameOf(text), attributes, () => call(query, params));
    };
  }

  function tracedCalls(executor: Executor): Pick<Executor, Reading> {
    const calls = executor as unknown as Record<Reading, AnyCall>;
    return {
      all: traced((query, params) => calls.all(query, params)),
      get: traced((query, params) => calls.get(query, params)),
      run: traced((query, params) => calls.run(query, params)),
    } as Pick<Executor, Reading>;
  }

  /** An executor with the identity of the one that it wraps. */
  function tracedExecutor(executor: Executor): Executor {
    return Object.assign(Object.create(executor) as Executor, {
      ...tracedCalls(executor),
      dialect: executor.dialect,
      write: executor.write.bind(executor),
    });
  }

  const transact = database.transact.bind(database);
  const { all, get, run } = database;
  const plain = { all: all.bind(database), get: get.bind(database), run: run.bind(database) };
  const attributes = { 'db.system.name': system };
  return Object.assign(database, {
    ...tracedCalls(plain as unknown as Executor),
    transact: ((work, options) =>
      tracing.within('transaction', attributes, () =>
        transact((executor) => work(tracedExecutor(executor)), options),
      )) as Database['transact'],
  });
}

/** `select snapshots`, as OpenTelemetry names spans of databases. */
function nameOf(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'query';
  const table = /\b(?:from|into|update)\s+["`]?(\w+)/i.exec(sql)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
