// What the process tells Prometheus: requests by route, and Node.js's own figures. Labels hold route templates, never
// paths, so a scanner cannot make the set of series grow.

import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Upper bounds of the request duration's buckets, in seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export interface Metrics {
  readonly contentType: string;
  /** Counts a finished request; `route` is undefined for an unknown path. */
  observeRequest(request: {
    method: string;
    route: string | undefined;
    status: number;
    durationMs: number;
  }): void;
  /** Everything in Prometheus's text format. */
  render(): Promise<string>;
}

/** The delay of the event loop is sampled this often: each sample wakes the process. */
const eventLoopSampleMs = 500;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** Creates the metrics of one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  const requests = new Counter({
    name: 'envsnap_http_requests_total',
    help: 'Requests answered, by method, route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'envsnap_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by method and route template.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers: [registry],
  });
  return {
    contentType: registry.contentType,
    observeRequest({ method: sent, route = 'unmatched', status, durationMs }) {
      const method = knownMethods.has(sent) ? sent : 'other';
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
    render: () => registry.metrics(),
  };
}
