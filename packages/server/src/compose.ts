// The composition root: the only file that builds everything and knows how it fits together.

import { operations } from '@envsnap/shared';
import { authorize } from './api-keys/authorize.ts';
import { createExpiryWorker } from './api-keys/expiry-worker.ts';
import { createApp } from './app.ts';
import { createNoteDisclosure } from './audit/disclosures.ts';
import { findLastBackupMs } from './audit/repository.ts';
import { originOf } from './audit/service.ts';
import { createNoteUnknownKey, createNoteWrongToken } from './audit/sign-in-failures.ts';
import { type Config, usesDataDir } from './config.ts';
import { createBlobSweeper } from './files/blob-sweeper.ts';
import { createBlobs } from './files/blobs.ts';
import type { FileStore } from './files/file-store.ts';
import { deleteFilesOf } from './files/service.ts';
import { createNoticeWorker } from './health/notice-worker.ts';
import { createPerform, createRecallAnswer } from './idempotency/perform.ts';
import { isInRanges } from './infra/cidr.ts';
import { createAnswerCipher } from './infra/crypto/answer-cipher.ts';
import { createDataKeys } from './infra/crypto/data-keys.ts';
import type { Keyring } from './infra/crypto/master-keys.ts';
import { freeBytesOf } from './infra/data-dir.ts';
import type { Database } from './infra/db/database.ts';
import { createDatabaseClock, type DatabaseClock } from './infra/db/database-clock.ts';
import { observeDatabase } from './infra/db/observe-database.ts';
import { findLargestProjects } from './infra/db/project-quotas.ts';
import { createAdmission, uncountedHeaders } from './infra/http/admission.ts';
import { createByteBudget, defaultByteBudget } from './infra/http/byte-budget.ts';
import { createCors } from './infra/http/cors.ts';
import { createJsonBodyReader } from './infra/http/json-body.ts';
import { contextOf } from './infra/http/request-context.ts';
import { createBasePathOf } from './infra/http/server-url.ts';
import { createAscendingIdGenerator, createNameableIdGenerator } from './infra/ids.ts';
import type { Logger } from './infra/logger.ts';
import { cacheReading } from './metrics/cached-reading.ts';
import { createMetrics } from './metrics/metrics.ts';
import { createMetricsApp } from './metrics/routes.ts';
import { createDeletionWorker } from './projects/deletion-worker.ts';
import { createRetentionWorker } from './retention/retention.ts';
import { createClockWorker } from './service/clock-worker.ts';
import { createReadiness, type Readiness } from './service/readiness.ts';
import { createIntake } from './snapshots/intake.ts';
import { createStoredJobs } from './stored-jobs.ts';
import type { Traces } from './traces.ts';
import { createCountRequest } from './usage/count-request.ts';
import { createNoteRequest } from './usage/note-request.ts';
import { createRequestRecorder } from './usage/request-recorder.ts';
import { commit, version } from './version.ts';
import { createReportAttempt, deactivationReasons } from './webhooks/attempt-log.ts';
import { createDeliveries } from './webhooks/deliveries.ts';
import { createOutboxState } from './webhooks/outbox.ts';
import { createFeatureFactory } from './work.ts';

interface ServiceDeps {
  readonly config: Config;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly fileStore: FileStore;
  readonly logger: Logger;
  /** Default: the database's clock, first read when the service starts. */
  readonly clock?: DatabaseClock | undefined;
  readonly traces?: Traces | undefined;
}

/** Builds the service on an open, migrated database. */
export function createService(deps: ServiceDeps) {
  const core = createCore(deps);
  const workers = createWorkers(deps, core);
  const { readiness } = core;
  const app = createServiceApp(deps, core, workers, readiness.check);
  let stopped: Promise<unknown> | undefined;

  return {
    app: deps.traces?.traceRequests(app) ?? app,
    metricsApp: createMetricsApp(core.metrics, core.budget, core.clock),
    /** Starts background work: webhook deliveries, removal of deleted and old data, announcements of expiring keys. */
    start(): void {
      core.deliveries.start();
      for (const worker of Object.values(workers)) worker.start();
    },
    /** Makes `/ready` return 503, so that a load balancer sends no more requests. No new delivery or job begins. */
    beginStop(): void {
      readiness.end();
      stopped ??= Promise.all([core.storedJobs.stop(), core.deliveries.stop()]);
    },
    /** Waits for background work to end. Call it once no request is in flight. */
    async finishStop(): Promise<void> {
      const stopping = Object.values(workers).map((worker) => worker.stop());
      await Promise.all([core.recorder.stop(), core.intake.stop(), ...stopping, stopped]);
    },
  };
}

type Core = ReturnType<typeof createCore>;

function createCore({
  config,
  database,
  keyring,
  fileStore,
  logger,
  traces,
  clock = createDatabaseClock(database),
}: ServiceDeps) {
  const budget = createByteBudget(config.maxBytesInFlight ?? defaultByteBudget());
  const dataKeys = createDataKeys(keyring);
  const intake = createIntake(config.maxBodyBytes, config.jobSeconds, clock);
  const storedJobs = createStoredJobs({
    database,
    dataKeys,
    clock,
    limitBytes: budget.limitBytes,
    jobSeconds: config.jobSeconds,
  });
  const readiness = createReadiness(database, clock);
  const metrics = createMetrics({
    version,
    commit,
    deactivationReasons,
    pool: () => database.poolUsage(),
    bytesInFlight: () => budget,
    jobs: () => storedJobs.usage(),
    outbox: createOutboxState(database, clock),
    lastBackupMs: cacheReading(clock, () => findLastBackupMs(database)),
    largestProjects: cacheReading(clock, async () => {
      const rows = await database.all(findLargestProjects);
      return Object.fromEntries(rows.map((row) => [row.project_id, Number(row.bytes)]));
    }),
    isReady: cacheReading(clock, () => readiness.check().then(() => true)),
    clockSkewMs: clock.skewMs,
    freeBytes: usesDataDir(config) ? cacheReading(clock, () => freeBytesOf(config.dataDir)) : undefined,
  });
  if (config.metrics !== 'off') observeDatabase(database, metrics.observeDatabase);
  fileStore.observe?.(metrics.observeStore);
  traces?.watchDatabase(database);
  const newId = createNameableIdGenerator(clock);
  const newEventId = createAscendingIdGenerator(clock);
  const deliveries = createDeliveries({
    database,
    clock,
    newId: newEventId,
    dataKeys,
    logger,
    report: createReportAttempt(logger, metrics),
    settings: config.webhooks,
    exclusive: database.dialect.name === 'sqlite',
    trace: traces?.traceDelivery,
  });
  const recorder = createRequestRecorder(database, logger);
  const createFeatures = createFeatureFactory({
    clock,
    newId,
    newEventId,
    dataKeys,
    jobs: storedJobs.jobs,
    tableBytes: storedJobs.tableBytes,
    keyring,
    signal: deliveries.signal,
    traceparent: traces?.traceparent ?? (() => undefined),
    defaultQuotas: config.projectDefaults,
    maxProjects: config.maxProjects,
    installHint: config.installHint,
    flushLog: () => recorder.flush(),
  });
  return {
    clock,
    budget,
    readiness,
    dataKeys,
    storedJobs,
    intake,
    metrics,
    newId,
    newEventId,
    deliveries,
    recorder,
    createFeatures,
    transact: deliveries.signal.watch((work, options) => database.transact(work, options)),
  };
}

function createWorkers({ config, database, fileStore, logger }: ServiceDeps, core: Core) {
  const { budget, clock, metrics, createFeatures, transact } = core;
  const sweeper = createBlobSweeper(database, fileStore, logger);
  return {
    clock: createClockWorker(clock, logger),
    sweeper,
    deletions: createDeletionWorker({
      database,
      logger,
      deleteFiles: deleteFilesOf,
      afterFiles: () => sweeper.wake(),
    }),
    retention: createRetentionWorker(database, clock, config.retention, logger, metrics),
    notices: createNoticeWorker({
      database,
      transact,
      createFeatures,
      clock,
      budget,
      logger,
      exclusive: database.dialect.name === 'sqlite',
    }),
    expiry: createExpiryWorker(
      () => transact((executor) => createFeatures(executor).apiKeys.announceExpiring()),
      logger,
    ),
  };
}

function createServiceApp(
  { config, database, keyring, fileStore, logger }: ServiceDeps,
  core: Core,
  { sweeper, deletions }: ReturnType<typeof createWorkers>,
  checkReady: Readiness['check'],
) {
  const { budget, clock, createFeatures, dataKeys, deliveries, metrics, newEventId, newId, recorder } = core;
  const { maxRequestsPerMinute, maxRequestsPerDay } = config.projectDefaults;
  const addressLimits = { perMinute: maxRequestsPerMinute, perDay: maxRequestsPerDay };
  // The address of a caller that has reset the connection is no longer known.
  const isTrustedProxy = (address: string | undefined) =>
    address !== undefined && isInRanges(address, config.trustProxy);
  const auditing = {
    database,
    clock,
    newId: newEventId,
    logger,
    countRefusal: metrics.countSignInRefusal,
  };
  const read = createFeatures(database);
  const noteUnknownKey = createNoteUnknownKey(auditing);
  const answerCipher = createAnswerCipher(keyring);
  return createApp({
    logger,
    clock,
    cors: createCors(config.corsOrigins, uncountedHeaders(maxRequestsPerMinute)),
    isTrustedProxy,
    basePathOf: createBasePathOf(config.basePath, isTrustedProxy),
    admit: createAdmission({
      count: createCountRequest(database, addressLimits),
      noteUnknownKey,
      addressLimitPerMinute: addressLimits.perMinute,
    }),
    perform: createPerform({
      read,
      transact: core.transact,
      createFeatures,
      authorize,
      database,
      clock,
      answerCipher,
    }),
    findSharePage: (token) => read.shares.findPage(token),
    readJsonBody: createJsonBodyReader(config.maxBodyBytes),
    intake: core.intake,
    budget,
    projectExists: (projectId) => read.projects.exists(projectId),
    isOwnerGone: (error) => database.dialect.isForeignKeyViolation(error),
    onFinished: createNoteRequest({
      logger,
      metrics,
      recorder,
      slowRequestMs: config.slowRequestMs,
    }),
    bootstrapPolicy: config.bootstrap,
    noteWrongToken: createNoteWrongToken(auditing),
    noteDisclosure: createNoteDisclosure(auditing),
    projectCreation: config.projectCreation,
    metrics: config.metrics === 'on' ? metrics : undefined,
    console: config.console
      ? {
          read,
          jobs: core.storedJobs.jobs,
          noteUnknownKey,
          recall: createRecallAnswer({ read, database, clock, answerCipher }),
          confirm: (request) =>
            authorize(database, contextOf(request).principal, operations.getCurrentKey, { hold: false }),
          transact: (request, change, operation) =>
            core.transact(async (executor) => {
              if (operation)
                await authorize(executor, contextOf(request).principal, operation, { hold: true });
              return change(createFeatures(executor, originOf(request)));
            }),
        }
      : undefined,
    deliveries,
    blobs: createBlobs({ database, store: fileStore, dataKeys, sweeper, newId }),
    afterWebhookDeleted: () => deletions.catchUp('webhook'),
    async afterProjectDeleted(projectId) {
      dataKeys.forget(projectId);
      void database
        .discardDeleted()
        .catch((error: unknown) => logger.warn({ err: error }, 'could not compact the log'));
      await deletions.catchUp('project');
    },
    checkReady,
  });
}
