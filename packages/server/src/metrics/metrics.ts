// The metrics for Prometheus, each described in metrics.json. Labels hold route templates, reasons and the like, never values that
// callers choose, so a scanner cannot make the number of series grow.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUsage } from '../infra/db/database.ts';
import type { DatabaseOperation } from '../infra/db/observe-database.ts';
import described from './metrics.json' with { type: 'json' };

/** Names without `envsnap_`. */
type MetricName = keyof typeof described;

/** Upper bounds of the request duration's buckets, in seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The same for the database, which is faster. */
const databaseBuckets = [0.0001, 0.00025, 0.0005, ...durationBuckets];

/** Deliveries that wait, and webhooks that fail. */
export interface OutboxState {
  /** Deliveries that are due, and those that are due later; each counted up to a limit. */
  readonly due: number;
  readonly waiting: number;
  /** How long the delivery that has waited longest for a server has been due. */
  readonly oldestDueSeconds: number;
  /** Active webhooks whose last attempt failed, those that have failed longest first; limited in number. */
  readonly failing: readonly { readonly webhookId: string; readonly seconds: number }[];
}

/** Values that are read for each request for the metrics; undefined if unavailable. */
interface MetricsSources {
  readonly version: string;
  readonly commit: string | undefined;
  readonly deactivationReasons: readonly string[];
  readonly pool: () => PoolUsage;
  readonly bytesInFlight: () => { readonly heldBytes: number; readonly limitBytes: number };
  readonly jobs: () => { readonly running: number; readonly waiting: number };
  readonly outbox: () => Promise<OutboxState | undefined>;
  /** When the newest backup was made, in milliseconds since 1970; 0 for never. */
  readonly lastBackupMs: () => Promise<number | undefined>;
  /** Stored bytes of the projects that hold most. */
  readonly largestProjects: () => Promise<Readonly<Record<string, number>> | undefined>;
  readonly isReady: () => Promise<boolean | undefined>;
  readonly clockSkewMs: () => number;
  /** Free bytes for the data folder; undefined for a server that has none. */
  readonly freeBytes: (() => Promise<number | undefined>) | undefined;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The delay of the event loop is sampled this often: each sample wakes the process. */
const eventLoopSampleMs = 500;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** The library's figures of the event loop's delay: Node.js adds the interval of the samples to each. */
const sampledLags = ['min', 'max', 'mean', 'p50', 'p90', 'p99'].map(
  (of) => `nodejs_eventloop_lag_${of}_seconds`,
);

/** Subtracts the interval of the samples from a gauge. */
function subtractSampling(gauge: Gauge): void {
  const set = gauge.set.bind(gauge);
  const correct = (labels: Record<string, string>, seconds: number) =>
    set(labels, Math.max(0, seconds - eventLoopSampleMs / 1000));
  Object.assign(gauge, { set: correct });
}

export function createMetrics(sources: MetricsSources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  for (const name of sampledLags) subtractSampling(registry.getSingleMetric(name) as Gauge);

  const settingsOf = (name: MetricName) => {
    const { labels, help }: { readonly labels: readonly string[]; readonly help: string } = described[name];
    return { name: `envsnap_${name}`, help, labelNames: [...labels], registers };
  };
  const counter = (name: MetricName) => new Counter(settingsOf(name));
  const durations = (name: MetricName, buckets = durationBuckets) =>
    new Histogram({ ...settingsOf(name), buckets });
  const requests = counter('http_requests_total');
  const requestTime = durations('http_request_duration_seconds');
  const refusals = counter('rate_limit_refusals_total');
  const databaseTime = durations('database_duration_seconds', databaseBuckets);
  const attempts = durations('webhook_attempt_duration_seconds');
  const deactivations = counter('webhook_deactivations_total');
  const storeTime = durations('file_store_duration_seconds');
  const signIns = counter('sign_in_refusals_total');
  const retentionRuns = counter('retention_runs_total');
  const retentionRows = counter('retention_deleted_rows_total');
  const retentionTime = new Gauge(settingsOf('retention_last_success_timestamp_seconds'));
  // Prometheus shows an increase only of a series that existed before.
  for (const reason of sources.deactivationReasons) deactivations.inc({ reason }, 0);
  for (const reason of ['unknown', 'expired', 'bootstrap_token']) signIns.inc({ reason }, 0);
  for (const result of ['ok', 'failed']) retentionRuns.inc({ result }, 0);
  const { version, commit = '' } = sources;
  new Gauge(settingsOf('build_info')).set({ version, commit, node: process.versions.node }, 1);
  for (const [name, read] of Object.entries(readings(sources))) {
    const collect = async function collect(this: Gauge) {
      show(this, await read());
    };
    new Gauge({ ...settingsOf(name as MetricName), collect });
  }

  return {
    contentType: registry.contentType as string,

    /** Counts a finished request; `route` is undefined for an unknown path. */
    observeRequest(request: {
      method: string;
      route: string | undefined;
      status: number;
      durationMs: number;
    }) {
      const { route = 'unmatched', status, durationMs } = request;
      const method = knownMethods.has(request.method) ? request.method : 'other';
      requests.inc({ method, route, status });
      requestTime.observe({ method, route }, durationMs / 1000);
    },

    observeDatabase(operation: DatabaseOperation, durationMs: number) {
      databaseTime.observe({ operation }, durationMs / 1000);
    },

    countRefusal: (window: 'minute' | 'day', caller: 'key' | 'address') => refusals.inc({ window, caller }),

    /** Counts an attempt to deliver an event; `outcome` is `delivered` or the reason for the failure. */
    observeAttempt: (outcome: string, durationMs: number) => attempts.observe({ outcome }, durationMs / 1000),

    /** Observes a request to the bucket of files. */
    observeStore: (operation: string, result: 'ok' | 'failed', durationMs: number) =>
      storeTime.observe({ operation, result }, durationMs / 1000),

    countSignInRefusal: (reason: 'unknown' | 'expired' | 'bootstrap_token') => signIns.inc({ reason }),

    countDeactivation: (reason: string) => deactivations.inc({ reason }),

    /** Counts a run of the retention; `deleted` are rows by their kind. */
    countRetention(deleted: Readonly<Record<string, number>> | 'failed') {
      retentionRuns.inc({ result: deleted === 'failed' ? 'failed' : 'ok' });
      if (deleted === 'failed') return;
      retentionTime.setToCurrentTime();
      for (const [kind, rows] of Object.entries(deleted)) retentionRows.inc({ kind }, rows);
    },

    render: () => registry.metrics(),
  };
}

/** A gauge's value, or its values by its one label; undefined if unknown. */
type Reading = number | undefined | { readonly [label: string]: Readonly<Record<string, number>> };

/** Gauges that are read when they are asked for. */
function readings(sources: MetricsSources): {
  readonly [Name in MetricName]?: () => Reading | Promise<Reading>;
} {
  const { pool, bytesInFlight, outbox, freeBytes } = sources;
  return {
    database_connections: () => {
      const { open, idle, waiting } = pool();
      return { state: { busy: open - idle, idle, waiting } };
    },
    database_connections_max: () => pool().max,
    in_flight_bytes: () => bytesInFlight().heldBytes,
    in_flight_limit_bytes: () => bytesInFlight().limitBytes,
    backup_last_success_timestamp_seconds: async () => {
      const ms = await sources.lastBackupMs();
      return ms === undefined ? undefined : ms / 1000;
    },
    project_stored_bytes: async () => ({ project: (await sources.largestProjects()) ?? {} }),
    ready: async () => ((await sources.isReady()) ? 1 : 0),
    clock_skew_seconds: () => sources.clockSkewMs() / 1000,
    ...(freeBytes && { data_free_bytes: freeBytes }),
    jobs: () => ({ state: { ...sources.jobs() } }),
    webhook_outbox_deliveries: async () => {
      const state = await outbox();
      return { state: state ? { due: state.due, waiting: state.waiting } : {} };
    },
    webhook_outbox_oldest_due_seconds: async () => (await outbox())?.oldestDueSeconds,
    webhook_failing_seconds: async () => {
      const failing = (await outbox())?.failing ?? [];
      return { webhook: Object.fromEntries(failing.map(({ webhookId, seconds }) => [webhookId, seconds])) };
    },
  };
}

function show(gauge: Gauge, reading: Reading) {
  // A zero would be wrong for an unknown value.
  if (typeof reading !== 'object') return gauge.set(reading ?? Number.NaN);
  gauge.reset();
  for (const [label, values] of Object.entries(reading))
    for (const [name, value] of Object.entries(values)) gauge.set({ [label]: name }, value);
}
