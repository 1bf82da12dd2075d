// The composition root: the only file that builds everything and knows how it fits together.

import { setTimeout as sleep } from 'node:timers/promises';
import { authorize } from './api-keys/authorize.ts';
import { createExpiryWorker } from './api-keys/expiry-worker.ts';
import { createApp } from './app.ts';
import { createNoteDisclosure } from './audit/disclosures.ts';
import { findLastBackupMs } from './audit/last-backup.ts';
import { createNoteUnknownKey, createNoteWrongToken } from './audit/sign-in-failures.ts';
import { type Config, usesDataDir } from './config.ts';
import { createFeatureFactory } from './features.ts';
import { createBlobSweeper } from './files/blob-sweeper.ts';
import { createBlobs } from './files/blobs.ts';
import type { FileStore } from './files/file-store.ts';
import { deleteFilesOf } from './files/service.ts';
import { createFingerprintWorker } from './fingerprints/fingerprint-worker.ts';
import { createPerform } from './idempotency/perform.ts';
import { AppError } from './infra/app-error.ts';
import { isInRanges } from './infra/cidr.ts';
import { systemClock } from './infra/clock.ts';
import { createAnswerCipher } from './infra/crypto/answer-cipher.ts';
import { createDataKeys } from './infra/crypto/data-keys.ts';
import type { Keyring } from './infra/crypto/master-keys.ts';
import { freeBytesOf } from './infra/data-dir.ts';
import type { Database } from './infra/db/database.ts';
import { observeDatabase } from './infra/db/observe-database.ts';
import { createAdmission, uncountedHeaders } from './infra/http/admission.ts';
import { createBasePathOf } from './infra/http/base-path.ts';
import type { FinishedRequest } from './infra/http/begin-request.ts';
import { createByteBudget, defaultByteBudget } from './infra/http/byte-budget.ts';
import { createCors } from './infra/http/cors.ts';
import { createJsonBodyReader } from './infra/http/json-body.ts';
import { createAscendingIdGenerator, createNameableIdGenerator } from './infra/ids.ts';
import type { Logger } from './infra/logger.ts';
import { createLook } from './metrics/look.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createDeletionWorker } from './projects/deletion-worker.ts';
import { createRetentionWorker } from './retention/retention-worker.ts';
import { backgroundContext } from './snapshots/stored-rows.ts';
import { createStoredJobs } from './stored-jobs.ts';
import type { Traces } from './traces.ts';
import { createCountRequest } from './usage/count-request.ts';
import { createRequestRecorder } from './usage/request-recorder.ts';
import { commit, version } from './version.ts';
import { deactivationReasons } from './webhooks/deactivation.ts';
import { createDeliver } from './webhooks/deliver.ts';
import { createDeliveryWorker } from './webhooks/delivery-worker.ts';
import { createDispatcher } from './webhooks/dispatcher.ts';
import { createEventSignal } from './webhooks/event-signal.ts';
import { createManualDelivery } from './webhooks/manual-delivery.ts';
import { createOutboxState } from './webhooks/outbox-state.ts';
import { createReportAttempt } from './webhooks/report-attempt.ts';
import { createResolveHost } from './webhooks/resolve-host.ts';
import { createRetrySchedule } from './webhooks/retry-schedule.ts';
import { createTargetGuard } from './webhooks/target-guard.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly fileStore: FileStore;
  readonly logger: Logger;
  /** Undefined unless a collector of traces is set. */
  readonly traces?: Traces | undefined;
}

/** How much longer than an attempt a worker holds its claim, in milliseconds: time to record the result. */
const leaseMarginMs = 15_000;
/** How long deliveries under way may take when the server stops; the rest is given back, in milliseconds. */
const deliveryGraceMs = 5000;

/** Longest time that `/ready` waits for the database, in milliseconds: load balancers wait little longer. */
const readyWithinMs = 2000;

/** Builds the service on an open, migrated database. */
export function createService({ config, database, keyring, fileStore, logger, traces }: ServiceDeps) {
  const clock = systemClock;
  const budget = createByteBudget(config.maxBytesInFlight ?? defaultByteBudget());
  const metrics = createMetrics({
    version,
    commit,
    deactivationReasons,
    pool: () => database.poolUsage(),
    bytesInFlight: () => budget,
    jobs: () => storedJobs.usage(),
    outbox: createOutboxState(database, clock),
    lastBackupMs: createLook(clock, () => findLastBackupMs(database)),
    freeBytes: usesDataDir(config) ? createLook(clock, () => freeBytesOf(config.dataDir)) : undefined,
  });
  if (config.metrics !== 'off') observeDatabase(database, metrics.observeDatabase);
  traces?.watchDatabase(database);
  const dataKeys = createDataKeys(keyring);
  const storedJobs = createStoredJobs({ database, dataKeys, limitBytes: budget.limitBytes });
  const newId = createNameableIdGenerator(clock);
  const newEventId = createAscendingIdGenerator(clock);
  const { allow, timeoutMs, retrySeconds } = config.webhooks;
  const untraced = createDeliver({
    clock,
    timeoutMs,
    guard: createTargetGuard(allow),
    resolveHost: createResolveHost(),
  });
  const deliver = traces?.traceDelivery(untraced) ?? untraced;
  const delivery = {
    database,
    clock,
    newId: newEventId,
    dataKeys,
    deliver,
    logger,
    report: createReportAttempt(logger, metrics),
  };
  const dispatcher = createDispatcher({
    ...delivery,
    worker: createDeliveryWorker({
      ...delivery,
      schedule: createRetrySchedule(retrySeconds),
      leaseMs: timeoutMs + leaseMarginMs,
    }),
    exclusive: database.dialect.name === 'sqlite',
  });
  const signal = createEventSignal(() => dispatcher.wake());
  const transact = signal.watch((work, options) => database.transact(work, options));
  const recorder = createRequestRecorder(database, logger);
  const sweeper = createBlobSweeper(database, fileStore, logger);
  const deletions = createDeletionWorker({
    database,
    logger,
    deleteFiles: deleteFilesOf,
    afterFiles: () => sweeper.wake(),
  });
  const retention = createRetentionWorker(database, clock, config.retention, logger, metrics);
  const createFeatures = createFeatureFactory({
    clock,
    newId,
    newEventId,
    dataKeys,
    jobs: storedJobs.jobs,
    tableBytes: storedJobs.tableBytes,
    keyring,
    signal,
    traceparent: traces?.traceparent ?? (() => undefined),
    defaultQuotas: config.projectDefaults,
    maxProjects: config.maxProjects,
    flushLog: () => recorder.flush(),
  });
  const expiry = createExpiryWorker(
    () => transact((executor) => createFeatures(executor).apiKeys.announceExpiring()),
    logger,
  );
  const read = createFeatures(database);
  const fingerprints = createFingerprintWorker({
    database,
    keyring,
    dataKeys,
    logger,
    fingerprint: (projectId, input) => storedJobs.jobs.fingerprint(input, backgroundContext(projectId)),
    createKey: (make) => transact((executor) => make(createFeatures(executor).fingerprintKeys)),
  });
  const { maxRequestsPerMinute, maxRequestsPerDay } = config.projectDefaults;
  const addressLimits = { perMinute: maxRequestsPerMinute, perDay: maxRequestsPerDay };
  let stopping = false;
  let deliveriesStopped: Promise<void> | undefined;
  let jobsStopped: Promise<void> | undefined;

  const isTrustedProxy = (address: string) => isInRanges(address, config.trustProxy);
  const app = createApp({
    logger,
    cors: createCors(config.corsOrigins, uncountedHeaders(config.projectDefaults.maxRequestsPerMinute)),
    isTrustedProxy,
    basePathOf: createBasePathOf(config.basePath, isTrustedProxy),
    admit: createAdmission({
      count: createCountRequest(database, addressLimits),
      noteUnknownKey: createNoteUnknownKey({ database, clock, newId: newEventId, logger }),
      addressLimitPerMinute: addressLimits.perMinute,
    }),
    perform: createPerform({
      read,
      transact,
      createFeatures,
      authorize,
      database,
      clock,
      answerCipher: createAnswerCipher(keyring),
    }),
    readJsonBody: createJsonBodyReader(config.maxBodyBytes, budget),
    budget,
    projectExists: (projectId) => read.projects.exists(projectId),
    isOwnerGone: (error) => database.dialect.isForeignKeyViolation(error),
    onFinished(finished) {
      const { context, method, status, durationMs } = finished;
      logRequest(finished);
      metrics.observeRequest({ method, route: context.route, status, durationMs });
      if (context.refusedBy) metrics.countRefusal(context.refusedBy, context.principal ? 'key' : 'address');
      recordRequest(finished);
    },
    bootstrapPolicy: config.bootstrap,
    noteWrongToken: createNoteWrongToken({ database, clock, newId: newEventId, logger }),
    noteDisclosure: createNoteDisclosure({ database, clock, newId: newEventId, logger }),
    projectCreation: config.projectCreation,
    metrics: config.metrics === 'on' ? metrics : undefined,
    manualDelivery: createManualDelivery(delivery),
    blobs: createBlobs({ database, store: fileStore, dataKeys, sweeper, newId }),
    afterFingerprintRotation: (projectId) => fingerprints.catchUp(projectId),
    afterWebhookDeleted: () => deletions.catchUp('webhook'),
    async afterProjectDeleted(projectId) {
      dataKeys.forget(projectId);
      void database
        .discardDeleted()
        .catch((error: unknown) => logger.warn({ err: error }, 'could not compact the log'));
      await deletions.catchUp('project');
    },
    async checkReady() {
      if (stopping)
        throw new AppError('shutting_down', 'The server is stopping', undefined, { retryAfterSeconds: 5 });
      await checkDatabase();
    },
  });

  /** Whether the database can serve, told in time for whoever balances the load. */
  async function checkDatabase(): Promise<void> {
    const late = sleep(readyWithinMs, undefined, { ref: false }).then(() => {
      throw unready('The database does not answer.');
    });
    try {
      await Promise.race([database.check(), late]);
    } catch (error) {
      // To a load balancer, damage is one more reason to send requests elsewhere.
      if (error instanceof AppError && error.code === 'database_damaged')
        throw unready(error.message, error.cause);
      throw error;
    }
  }

  function unready(message: string, cause?: unknown): AppError {
    return new AppError('database_unavailable', message, undefined, { cause, retryAfterSeconds: 5 });
  }

  function logRequest({ context, method, status, durationMs }: FinishedRequest): void {
    logger.info(
      {
        requestId: context.requestId,
        // What the audit log knows it by, where the caller chose the other.
        serverRequestId: context.origin.clientRequestId === null ? undefined : context.origin.requestId,
        method,
        route: context.route,
        path: context.path.slice(0, 2048),
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        // Only where it is so: it is what one looks for.
        slow: durationMs >= config.slowRequestMs || undefined,
        projectId: context.principal?.projectId,
        apiKeyId: context.principal?.apiKeyId,
        clientAddress: context.address,
      },
      'request',
    );
  }

  /** The log of the API's own usage: every request with a valid key, refused ones included. */
  function recordRequest({ context, method, status, durationMs }: FinishedRequest): void {
    const { principal } = context;
    if (!principal) return;
    recorder.record({
      project_id: principal.projectId,
      api_key_id: principal.apiKeyId,
      method,
      path: context.path.slice(0, 2048),
      route: context.route ?? 'unmatched',
      status_code: status,
      response_time_ms: Math.round(durationMs),
      created_at: clock.nowMs() - Math.round(durationMs),
    });
  }

  return {
    app: traces?.traceRequests(app) ?? app,
    metrics,
    /** Begins background work: the delivery of webhooks, the removal of what is deleted or old, new fingerprints, keys that end. */
    start(): void {
      dispatcher.start();
      sweeper.start();
      retention.start();
      expiry.start();
      deletions.start();
      fingerprints.start();
    },
    /** Makes `/ready` refuse, so that a load balancer sends no more requests here; no delivery begins any more. */
    beginStop(): void {
      stopping = true;
      jobsStopped ??= storedJobs.stop();
      deliveriesStopped ??= dispatcher.stop(deliveryGraceMs);
    },
    /** Lets background work end. Call it when no request is in flight any more. */
    async finishStop(): Promise<void> {
      await Promise.all([
        recorder.stop(),
        sweeper.stop(),
        retention.stop(),
        expiry.stop(),
        deletions.stop(),
        fingerprints.stop(),
        deliveriesStopped,
        jobsStopped,
      ]);
    },
  };
}
