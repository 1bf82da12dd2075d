// What the process reports to Prometheus. Labels hold route templates, reasons and the like, never what callers choose, so a
// scanner cannot make the set of series grow.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { PoolUsage } from '../infra/db/database.ts';
import type { DatabaseOperation } from '../infra/db/observe-database.ts';

/** Upper bounds of the request duration's buckets, in seconds. */
const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The same of the database, which is faster. */
const databaseBuckets = [0.0001, 0.00025, 0.0005, ...durationBuckets];

/** Deliveries that wait, and webhooks that fail. */
export interface OutboxState {
  /** Deliveries that are due, and those whose time is still to come; each counted up to a bound. */
  readonly due: number;
  readonly waiting: number;
  /** How long the delivery that has waited longest for a server has been due. */
  readonly oldestDueSeconds: number;
  /** Active webhooks whose last attempt failed, those that have failed longest first; bounded. */
  readonly failing: readonly { readonly webhookId: string; readonly seconds: number }[];
}

/** What is read when somebody asks for the metrics. */
export interface MetricsSources {
  readonly version: string;
  readonly commit: string | undefined;
  /** Why webhooks may be switched off. */
  readonly deactivationReasons: readonly string[];
  readonly pool: () => PoolUsage;
  readonly bytesInFlight: () => { readonly heldBytes: number; readonly limitBytes: number };
  /** Work on stored snapshots that runs, and that waits. */
  readonly jobs: () => { readonly running: number; readonly waiting: number };
  /** Undefined when the database cannot be asked. */
  readonly outbox: () => Promise<OutboxState | undefined>;
  /** When the newest backup was made, in milliseconds since 1970; 0 for never, undefined when the database cannot be asked. */
  readonly lastBackupMs: () => Promise<number | undefined>;
  /** Bytes that are free for the data folder; undefined for a server that has none. */
  readonly freeBytes: (() => Promise<number | undefined>) | undefined;
}

export interface Metrics {
  readonly contentType: string;
  /** Counts a finished request; `route` is undefined for an unknown path. */
  observeRequest(request: {
    method: string;
    route: string | undefined;
    status: number;
    durationMs: number;
  }): void;
  observeDatabase(operation: DatabaseOperation, durationMs: number): void;
  /** Counts a request that a rate limit refused. */
  countRefusal(window: 'minute' | 'day', caller: 'key' | 'address'): void;
  /** Counts an attempt to deliver an event; `outcome` is `delivered` or the reason of the failure. */
  observeAttempt(outcome: string, durationMs: number): void;
  countDeactivation(reason: string): void;
  /** Counts a run of the retention; `deleted` are rows by their kind. */
  countRetention(deleted: Readonly<Record<string, number>> | 'failed'): void;
  /** Everything in Prometheus's text format. */
  render(): Promise<string>;
}

/** The delay of the event loop is sampled this often: each sample wakes the process. */
const eventLoopSampleMs = 500;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** Gauges of the library that Prometheus takes for counters by their names; the same figures come by type beside them. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** Figures of the library for the event loop's delay into each of which Node.js counts the interval of the samples. */
const sampledLags = ['min', 'max', 'mean', 'p50', 'p90', 'p99'].map(
  (of) => `nodejs_eventloop_lag_${of}_seconds`,
);

/** Takes the interval of the samples out of a gauge. */
function subtractSampling(gauge: Gauge): void {
  const set = gauge.set.bind(gauge);
  const correct = (labels: Record<string, string>, seconds: number) =>
    set(labels, Math.max(0, seconds - eventLoopSampleMs / 1000));
  Object.assign(gauge, { set: correct });
}

/** Creates the metrics of one process. */
export function createMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  for (const name of misnamed) registry.removeSingleMetric(name);
  for (const name of sampledLags) subtractSampling(registry.getSingleMetric(name) as Gauge);
  const requests = new Counter({
    name: 'envsnap_http_requests_total',
    help: 'Requests answered, by method, route template and status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'envsnap_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer, by method and route template.',
    labelNames: ['method', 'route'],
    buckets: durationBuckets,
    registers,
  });
  const refusals = new Counter({
    name: 'envsnap_rate_limit_refusals_total',
    help: 'Requests refused by a rate limit, by its window and by whether a key or an address was counted.',
    labelNames: ['window', 'caller'],
    registers,
  });
  const database = new Histogram({
    name: 'envsnap_database_duration_seconds',
    help: 'Time of queries outside transactions, and of whole transactions, waiting included.',
    labelNames: ['operation'],
    buckets: databaseBuckets,
    registers,
  });
  const attempts = new Histogram({
    name: 'envsnap_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver an event, by their outcome: delivered, or the reason of the failure.',
    labelNames: ['outcome'],
    buckets: durationBuckets,
    registers,
  });
  const deactivations = new Counter({
    name: 'envsnap_webhook_deactivations_total',
    help: 'Webhooks that were switched off because their deliveries failed, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const retentionRuns = new Counter({
    name: 'envsnap_retention_runs_total',
    help: 'Times that this server deleted old rows, by result; one server at a time does it.',
    labelNames: ['result'],
    registers,
  });
  const retentionRows = new Counter({
    name: 'envsnap_retention_deleted_rows_total',
    help: 'Old rows that were deleted, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const retentionTime = new Gauge({
    name: 'envsnap_retention_last_success_timestamp_seconds',
    help: 'When this server last deleted old rows, in seconds since 1970; 0 for not yet.',
    registers,
  });
  // An increase is shown only of a series that was there before.
  for (const reason of sources.deactivationReasons) deactivations.inc({ reason }, 0);
  for (const result of ['ok', 'failed']) retentionRuns.inc({ result }, 0);
  addStateGauges(registers, sources);
  return {
    contentType: registry.contentType,
    observeRequest({ method: sent, route = 'unmatched', status, durationMs }) {
      const method = knownMethods.has(sent) ? sent : 'other';
      requests.inc({ method, route, status });
      durations.observe({ method, route }, durationMs / 1000);
    },
    observeDatabase: (operation, durationMs) => database.observe({ operation }, durationMs / 1000),
    countRefusal: (window, caller) => refusals.inc({ window, caller }),
    observeAttempt: (outcome, durationMs) => attempts.observe({ outcome }, durationMs / 1000),
    countDeactivation: (reason) => deactivations.inc({ reason }),
    countRetention(deleted) {
      retentionRuns.inc({ result: deleted === 'failed' ? 'failed' : 'ok' });
      if (deleted === 'failed') return;
      retentionTime.setToCurrentTime();
      for (const [kind, rows] of Object.entries(deleted)) retentionRows.inc({ kind }, rows);
    },
    render: () => registry.metrics(),
  };
}

/** Gauges that are read when they are asked for. */
function addStateGauges(registers: Registry[], sources: MetricsSources): void {
  const { version, commit } = sources;
  new Gauge({
    name: 'envsnap_build_info',
    help: 'Always 1; the labels say which program runs.',
    labelNames: ['version', 'commit', 'node'],
    registers,
  }).set({ version, commit: commit ?? '', node: process.versions.node }, 1);
  new Gauge({
    name: 'envsnap_database_connections',
    help: 'Connections to the database by state: in use, idle, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open, idle, waiting } = sources.pool();
      this.set({ state: 'busy' }, open - idle);
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  new Gauge({
    name: 'envsnap_database_connections_max',
    help: 'Most connections to the database at the same time.',
    registers,
    collect() {
      this.set(sources.pool().max);
    },
  });
  new Gauge({
    name: 'envsnap_in_flight_bytes',
    help: 'Bytes of large bodies and answers that are in work.',
    registers,
    collect() {
      this.set(sources.bytesInFlight().heldBytes);
    },
  });
  new Gauge({
    name: 'envsnap_in_flight_limit_bytes',
    help: 'Bytes of large bodies and answers that may be in work at the same time.',
    registers,
    collect() {
      this.set(sources.bytesInFlight().limitBytes);
    },
  });
  const valueGauge = (name: string, help: string, read: () => Promise<number | undefined>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        // A zero would be a lie.
        this.set((await read()) ?? Number.NaN);
      },
    });
  valueGauge(
    'envsnap_backup_last_success_timestamp_seconds',
    'When envsnap-server backup last made a backup of this database, in seconds since 1970; 0 for never. The same on every server.',
    async () => {
      const lastMs = await sources.lastBackupMs();
      return lastMs === undefined ? undefined : lastMs / 1000;
    },
  );
  if (sources.freeBytes) {
    valueGauge(
      'envsnap_data_free_bytes',
      'Bytes that are free on the disk of the data folder.',
      sources.freeBytes,
    );
  }
  new Gauge({
    name: 'envsnap_jobs',
    help: 'Requests that compare large snapshots, read histories or diagnose: one runs, the others wait for it.',
    labelNames: ['state'],
    registers,
    collect() {
      const { running, waiting } = sources.jobs();
      this.set({ state: 'running' }, running);
      this.set({ state: 'waiting' }, waiting);
    },
  });
  const outboxGauge = (
    name: string,
    help: string,
    show: (gauge: Gauge, state: OutboxState) => void,
    labelNames: string[] = [],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers,
      async collect() {
        this.reset();
        const state = await sources.outbox();
        if (state) show(this, state);
        // Without labels, a reset leaves a zero behind, which would be a lie.
        else if (labelNames.length === 0) this.set(Number.NaN);
      },
    });
  outboxGauge(
    'envsnap_webhook_outbox_deliveries',
    'Deliveries that are due or wait for their next attempt; each counted up to 10000. The same on every server.',
    (gauge, { due, waiting }) => {
      gauge.set({ state: 'due' }, due);
      gauge.set({ state: 'waiting' }, waiting);
    },
    ['state'],
  );
  outboxGauge(
    'envsnap_webhook_outbox_oldest_due_seconds',
    'How long the oldest delivery has waited for a server; 0 when none does. Deliveries of endpoints that fail or are being called do not count: those wait for the endpoint.',
    (gauge, state) => gauge.set(state.oldestDueSeconds),
  );
  outboxGauge(
    'envsnap_webhook_failing_seconds',
    'How long a webhook has failed without a success, by its id; the 20 that have failed longest.',
    (gauge, { failing }) => {
      for (const { webhookId, seconds } of failing) gauge.set({ webhook: webhookId }, seconds);
    },
    ['webhook'],
  );
}
