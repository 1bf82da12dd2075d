// The composition root: the only file that builds everything and knows how it fits together.

import { createApp } from './app.ts';
import type { Config } from './config.ts';
import { createFeatureFactory } from './features.ts';
import { createPerform } from './idempotency/perform.ts';
import { AppError } from './infra/app-error.ts';
import { isInRanges } from './infra/cidr.ts';
import { systemClock } from './infra/clock.ts';
import { createAnswerCipher } from './infra/crypto/answer-cipher.ts';
import { createDataKeys } from './infra/crypto/data-keys.ts';
import type { Keyring } from './infra/crypto/master-keys.ts';
import type { Database } from './infra/db/database.ts';
import { createAdmission } from './infra/http/admission.ts';
import type { FinishedRequest } from './infra/http/begin-request.ts';
import { createJsonBodyReader } from './infra/http/json-body.ts';
import { createIdGenerator } from './infra/ids.ts';
import type { Logger } from './infra/logger.ts';
import { createRateLimiter } from './usage/rate-limiter.ts';
import { createRequestRecorder } from './usage/request-recorder.ts';
import { createEventSignal } from './webhooks/event-signal.ts';

export interface ServiceDeps {
  readonly config: Config;
  readonly database: Database;
  readonly keyring: Keyring;
  readonly logger: Logger;
}

/** The service, ready to be listened for. */
export type Service = ReturnType<typeof createService>;

/** Builds the service on an open, migrated database. */
export function createService({ config, database, keyring, logger }: ServiceDeps) {
  const clock = systemClock;
  const dataKeys = createDataKeys(keyring);
  const signal = createEventSignal(() => {});
  const transact = signal.watch((work, options) => database.transact(work, options));
  const recorder = createRequestRecorder(database, logger);
  const createFeatures = createFeatureFactory({
    clock,
    newId: createIdGenerator(clock),
    dataKeys,
    signal,
    defaultQuotas: config.projectDefaults,
    flushLog: () => recorder.flush(),
  });
  const read = createFeatures(database);
  const rateLimiter = createRateLimiter(database);
  const { maxRequestsPerMinute, maxRequestsPerDay } = config.projectDefaults;
  const addressLimits = { perMinute: maxRequestsPerMinute, perDay: maxRequestsPerDay };
  let stopping = false;

  const app = createApp({
    logger,
    isTrustedProxy: (address) => isInRanges(address, config.trustProxy),
    admit: createAdmission({
      authenticate: (apiKey) => read.apiKeys.authenticate(apiKey),
      admitKey: (principal) =>
        rateLimiter.admit(
          { id: principal.apiKeyId, kind: 'key', projectId: principal.projectId },
          { perMinute: principal.maxRequestsPerMinute, perDay: principal.maxRequestsPerDay },
        ),
      admitAddress: (address) =>
        rateLimiter.admit({ id: address, kind: 'address', projectId: null }, addressLimits),
      addressLimitPerMinute: addressLimits.perMinute,
    }),
    perform: createPerform({
      read,
      transact,
      createFeatures,
      clock,
      answerCipher: createAnswerCipher(keyring),
    }),
    readJsonBody: createJsonBodyReader(config.maxBodyBytes),
    projectExists: (projectId) => read.projects.exists(projectId),
    onFinished(finished) {
      logRequest(finished);
      recordRequest(finished);
    },
    bootstrapPolicy: config.bootstrap,
    afterProjectDeleted: (projectId) => {
      dataKeys.forget(projectId);
      void database
        .discardDeleted()
        .catch((error: unknown) => logger.warn({ err: error }, 'could not compact the log'));
    },
    async checkReady() {
      if (stopping)
        throw new AppError('shutting_down', 'The server is stopping', undefined, { retryAfterSeconds: 5 });
      await database.get(database.dialect.builder.select(database.dialect.builder.raw('1 as ready')));
    },
  });

  function logRequest({ context, method, status, durationMs }: FinishedRequest): void {
    logger.info(
      {
        requestId: context.requestId,
        method,
        route: context.operation?.path,
        status,
        durationMs: Math.round(durationMs * 10) / 10,
        projectId: context.principal?.projectId,
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
      route: context.operation?.path ?? 'unmatched',
      status_code: status,
      response_time_ms: Math.round(durationMs),
      created_at: clock.nowMs() - Math.round(durationMs),
    });
  }

  return {
    app,
    /** Makes `/ready` refuse, so that a load balancer sends no more requests here. */
    beginStop(): void {
      stopping = true;
    },
    /** Lets background work end. Call it when no request is in flight any more. */
    async finishStop(): Promise<void> {
      await recorder.stop();
    },
  };
}
