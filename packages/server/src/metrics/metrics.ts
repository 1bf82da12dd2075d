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
interface MetricsSources {
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
  /** Whether requests can be served. */
  readonly isReady: () => Promise<boolean | undefined>;
  /** How far the machine's clock is ahead of the database's. */
  readonly clockSkewMs: () => number;
  /** Bytes that are free for the data folder; undefined for a server that has none. */
  readonly freeBytes: (() => Promise<number | undefined>) | undefined;
}

export type Metrics = ReturnType<typeof createMetrics>;

/** The delay of the event loop is sampled this often: each sample wakes the process. */
const eventLoopSampleMs = 500;

const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS']);

/** Gauges of the library that Prometheus takes for counters by their names; the same figures come by type beside them. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The library's figures of the event loop's delay: Node.js adds the interval of the samples to each. */
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

export function createMetrics(sources: MetricsSources) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: eventLoopSampleMs });
  for (const name of misnamed) registry.removeSingleMetric(name);
  for (const name of sampledLags) subtractSampling(registry.getSingleMetric(name) as Gauge);

  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const durations = (name: string, help: string, labelNames: string[], buckets = durationBuckets) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = counter(
    'envsnap_http_requests_total',
    'Requests answered, by method, route template and status.',
    ...['method', 'route', 'status'],
  );
  const requestTime = durations(
    'envsnap_http_request_duration_seconds',
    'Time from the arrival of a request to the end of its answer, by method and route template.',
    ['method', 'route'],
  );
  const refusals = counter(
    'envsnap_rate_limit_refusals_total',
    'Requests refused by a rate limit, by its window and by whether a key or an address was counted.',
    ...['window', 'caller'],
  );
  const databaseTime = durations(
    'envsnap_database_duration_seconds',
    'Time of queries outside transactions, and of whole transactions, waiting included.',
    ['operation'],
    databaseBuckets,
  );
  const attempts = durations(
    'envsnap_webhook_attempt_duration_seconds',
    'Attempts to deliver an event, by their outcome: delivered, or the reason of the failure.',
    ['outcome'],
  );
  const deactivations = counter(
    'envsnap_webhook_deactivations_total',
    'Webhooks that were switched off because their deliveries failed, by reason.',
    'reason',
  );
  const retentionRuns = counter(
    'envsnap_retention_runs_total',
    'Times that this server deleted old rows, by result; one server at a time does it.',
    'result',
  );
  const retentionRows = counter(
    'envsnap_retention_deleted_rows_total',
    'Old rows that were deleted, by kind.',
    'kind',
  );
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

    /** Counts a request that a rate limit refused. */
    countRefusal: (window: 'minute' | 'day', caller: 'key' | 'address') => refusals.inc({ window, caller }),

    /** Counts an attempt to deliver an event; `outcome` is `delivered` or the reason of the failure. */
    observeAttempt: (outcome: string, durationMs: number) => attempts.observe({ outcome }, durationMs / 1000),

    countDeactivation: (reason: string) => deactivations.inc({ reason }),

    /** Counts a run of the retention; `deleted` are rows by their kind. */
    countRetention(deleted: Readonly<Record<string, number>> | 'failed') {
      retentionRuns.inc({ result: deleted === 'failed' ? 'failed' : 'ok' });
      if (deleted === 'failed') return;
      retentionTime.setToCurrentTime();
      for (const [kind, rows] of Object.entries(deleted)) retentionRows.inc({ kind }, rows);
    },

    /** Everything in Prometheus's text format. */
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

  const gauge = (
    name: string,
    help: string,
    show: (gauge: Gauge) => void | Promise<void>,
    labelNames: string[] = [],
  ) => {
    const collect = function collect(this: Gauge) {
      return show(this);
    };
    new Gauge({ name, help, labelNames, registers, collect });
  };
  /** The values of a gauge by its one label, `state`. */
  const showStates = (shown: Gauge, states: Readonly<Record<string, number>>) => {
    for (const [state, value] of Object.entries(states)) shown.set({ state }, value);
  };
  gauge(
    'envsnap_database_connections',
    'Connections to the database by state: in use, idle, and requests that wait for one.',
    (shown) => {
      const { open, idle, waiting } = sources.pool();
      showStates(shown, { busy: open - idle, idle, waiting });
    },
    ['state'],
  );
  gauge('envsnap_database_connections_max', 'Most connections to the database at the same time.', (shown) =>
    shown.set(sources.pool().max),
  );
  gauge('envsnap_in_flight_bytes', 'Bytes of large bodies and answers that are in work.', (shown) =>
    shown.set(sources.bytesInFlight().heldBytes),
  );
  gauge(
    'envsnap_in_flight_limit_bytes',
    'Bytes of large bodies and answers that may be in work at the same time.',
    (shown) => shown.set(sources.bytesInFlight().limitBytes),
  );
  gauge(
    'envsnap_backup_last_success_timestamp_seconds',
    'When envsnap-server backup last made a backup of this database, in seconds since 1970; 0 for never. The same on every server.',
    // Where nobody knows, a zero would be a lie.
    async (shown) => shown.set(((await sources.lastBackupMs()) ?? Number.NaN) / 1000),
  );
  gauge('envsnap_ready', 'Whether /ready says that requests can be served: 1 or 0.', async (shown) =>
    shown.set((await sources.isReady()) ? 1 : 0),
  );
  gauge(
    'envsnap_clock_skew_seconds',
    "How far the clock of this machine is ahead of the database's; beyond a minute either way this server deletes nothing.",
    (shown) => shown.set(sources.clockSkewMs() / 1000),
  );
  const { freeBytes } = sources;
  if (freeBytes) {
    gauge('envsnap_data_free_bytes', 'Bytes that are free on the disk of the data folder.', async (shown) =>
      shown.set((await freeBytes()) ?? Number.NaN),
    );
  }
  gauge(
    'envsnap_jobs',
    'Requests that compare large snapshots, read histories or diagnose: one runs, the others wait for it.',
    (shown) => {
      const { running, waiting } = sources.jobs();
      showStates(shown, { running, waiting });
    },
    ['state'],
  );
  const outboxGauge = (
    name: string,
    help: string,
    show: (gauge: Gauge, state: OutboxState) => void,
    labelNames: string[] = [],
  ) =>
    gauge(
      name,
      help,
      async (shown) => {
        shown.reset();
        const state = await sources.outbox();
        if (state) show(shown, state);
        // Without labels, a reset leaves a zero behind, which would be a lie.
        else if (labelNames.length === 0) shown.set(Number.NaN);
      },
      labelNames,
    );
  outboxGauge(
    'envsnap_webhook_outbox_deliveries',
    'Deliveries that are due or wait for their next attempt; each counted up to 10000. The same on every server.',
    (shown, { due, waiting }) => showStates(shown, { due, waiting }),
    ['state'],
  );
  outboxGauge(
    'envsnap_webhook_outbox_oldest_due_seconds',
    'How long the oldest delivery has waited for a server; 0 when none does. Deliveries of endpoints that fail or are being called do not count: those wait for the endpoint.',
    (shown, state) => shown.set(state.oldestDueSeconds),
  );
  outboxGauge(
    'envsnap_webhook_failing_seconds',
    'How long a webhook has failed without a success, by its id; the 20 that have failed longest.',
    (shown, { failing }) => {
      for (const { webhookId, seconds } of failing) shown.set({ webhook: webhookId }, seconds);
    },
    ['webhook'],
  );
}
