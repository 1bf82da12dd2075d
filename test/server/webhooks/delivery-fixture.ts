// The delivery machinery on a real database with a clock that tests move: a project, its webhooks, outbox and dispatchers.

import { randomBytes } from 'node:crypto';
import type { WebhookEvent } from '@envsnap/shared';
import { onTestFinished } from 'vitest';
import { createAuditLog } from '../../../packages/server/src/audit/service.ts';
import { createDataKeys } from '../../../packages/server/src/infra/crypto/data-keys.ts';
import { recordKeyring } from '../../../packages/server/src/infra/crypto/keyring.ts';
import { parseMasterKeys } from '../../../packages/server/src/infra/crypto/master-keys.ts';
import type { Database, Executor } from '../../../packages/server/src/infra/db/database.ts';
import { createAscendingIdGenerator } from '../../../packages/server/src/infra/ids.ts';
import { createLogger } from '../../../packages/server/src/infra/logger.ts';
import { createDeletionWorker } from '../../../packages/server/src/projects/deletion-worker.ts';
import { createReportAttempt } from '../../../packages/server/src/webhooks/attempt-log.ts';
import { createDeliver, type Deliver } from '../../../packages/server/src/webhooks/deliver.ts';
import { createDeliveryWorker } from '../../../packages/server/src/webhooks/delivery-worker.ts';
import { createDispatcher, type Dispatcher } from '../../../packages/server/src/webhooks/dispatcher.ts';
import {
  createEventSignal,
  createOutbox,
  type Outbox,
} from '../../../packages/server/src/webhooks/outbox.ts';
import { createResolveHost } from '../../../packages/server/src/webhooks/resolve-host.ts';
import { createRetrySchedule } from '../../../packages/server/src/webhooks/retry-schedule.ts';
import { createWebhookService } from '../../../packages/server/src/webhooks/service.ts';
import { createTargetGuard } from '../../../packages/server/src/webhooks/target-guard.ts';
import { ranges } from './ranges.ts';

/** A clock that stops until it is moved. */
interface MovableClock {
  nowMs(): number;
  advance(ms: number): void;
}

export interface DispatcherOptions {
  /** Its database; default: the fixture's. */
  database?: Database;
  retrySeconds?: readonly number[];
  timeoutMs?: number;
  leaseMs?: number;
  exclusive?: boolean;
  deliver?: Deliver;
}

export interface DeliveryRow {
  id: string;
  webhook_id: string;
  state: string;
  attempt: number;
  next_attempt_at: number;
  lease_token: string | null;
}

export const dayMs = 24 * 60 * 60 * 1000;

/** Sets a project up. Dispatchers are stopped after the test. */
export async function createDeliveryFixture(database: Database) {
  let nowMs = 1_800_000_000_000;
  const clock: MovableClock = {
    nowMs: () => nowMs,
    advance: (ms) => {
      nowMs += ms;
    },
  };
  const newId = createAscendingIdGenerator(clock);
  const keyring = parseMasterKeys(randomBytes(32).toString('hex'), 'the test');
  await recordKeyring(database, keyring);
  const dataKeys = createDataKeys(keyring);
  const projectId = newId();
  const logLines: string[] = [];
  const logger = createLogger({ level: 'info', destination: { write: (line) => void logLines.push(line) } });
  await database.transact(async (executor) => {
    const project = { id: projectId, name: 'p', created_at: nowMs, updated_at: nowMs };
    await executor.run(executor.dialect.builder('projects').insert(project));
    const quotas = {
      project_id: projectId,
      max_snapshots: 1000,
      max_webhooks: 1000,
      max_files: 0,
      max_storage_bytes: 0,
      max_requests_per_minute: 0,
      max_requests_per_day: 0,
    };
    await executor.run(executor.dialect.builder('project_quotas').insert(quotas));
    await dataKeys.create(executor, projectId);
  });

  const dispatchers: Dispatcher[] = [];
  const signal = createEventSignal(() => {
    for (const dispatcher of dispatchers) dispatcher.wake();
  });
  const transact = signal.watch((work, options) => database.transact(work, options));
  onTestFinished(async () => {
    await Promise.all(dispatchers.map((dispatcher) => dispatcher.stop(0)));
  });

  const webhooksOf = (executor: Executor) => {
    const audit = createAuditLog(executor, { clock, newId, origin: { type: 'server' } });
    const outbox = createOutbox(executor, { clock, newId, signal, traceparent: () => undefined });
    return createWebhookService(executor, { clock, newId, dataKeys, audit, outbox });
  };

  const resolveHost = createResolveHost();
  const guard = createTargetGuard(ranges('127.0.0.0/8'));
  return {
    database,
    clock,
    projectId,
    dataKeys,
    log: () => logLines.join(''),

    subscribe: (url: string, events: WebhookEvent[] = ['snapshot.created']) =>
      transact((executor) =>
        webhooksOf(executor).create(projectId, { url, events, format: 'standard' }, null),
      ),

    webhooks: webhooksOf(database),
    removeWebhook: (id: string) => transact((executor) => webhooksOf(executor).remove(projectId, id)),
    /** Removes the rows of deleted webhooks. */
    removeDeleted: () =>
      createDeletionWorker({
        database,
        logger: createLogger({ level: 'silent', destination: { write: () => undefined } }),
        deleteFiles: async () => false,
        afterFiles: () => undefined,
      }).finish(),
    changeWebhook: (id: string, change: { url?: string; active?: boolean }) =>
      transact((executor) => webhooksOf(executor).update(projectId, id, change, null)),

    /** Records events, each in a separate transaction. */
    async record(
      count = 1,
      event: 'snapshot.created' | 'snapshot.deleted' = 'snapshot.created',
    ): Promise<void> {
      for (let index = 0; index < count; index += 1) {
        const data = { snapshotId: newId(), machineName: `machine ${index}` };
        await transact((executor) =>
          createOutbox(executor, { clock, newId, signal, traceparent: () => undefined }).record(
            projectId,
            event,
            data,
          ),
        );
      }
    },

    /** Runs `work` with an outbox in a transaction and returns the number of statements. */
    async countStatements(work: (outbox: Outbox) => Promise<void>): Promise<number> {
      let count = 0;
      await transact((executor) => {
        const counting = new Proxy(executor, {
          get: (target, name) => {
            const member: unknown = Reflect.get(target, name, target);
            if (typeof member !== 'function') return member;
            return (...args: unknown[]) => {
              count += 1;
              return member.apply(target, args);
            };
          },
        });
        return work(createOutbox(counting, { clock, newId, signal, traceparent: () => undefined }));
      });
      return count;
    },

    /** Starts a dispatcher; it checks the queue when it is woken, and every second. */
    dispatch(options: DispatcherOptions = {}): Dispatcher {
      const { retrySeconds = [5, 300], timeoutMs = 5000, leaseMs = 30_000, exclusive = false } = options;
      const deliver = options.deliver ?? createDeliver({ clock, guard, timeoutMs, resolveHost });
      const deps = { database: options.database ?? database, clock, newId, dataKeys, deliver, logger };
      const schedule = createRetrySchedule(retrySeconds, () => 0.5);
      const metrics = { observeAttempt: () => undefined, countDeactivation: () => undefined };
      const report = createReportAttempt(logger, metrics);
      const worker = createDeliveryWorker({ ...deps, schedule, leaseMs, report });
      const dispatcher = createDispatcher({ ...deps, worker, exclusive });
      dispatchers.push(dispatcher);
      dispatcher.start();
      return dispatcher;
    },

    deliveries: (): Promise<DeliveryRow[]> =>
      database.all(
        database.dialect
          .builder('webhook_deliveries')
          .select('id', 'webhook_id', 'state', 'attempt', 'next_attempt_at', 'lease_token')
          .orderBy('id'),
      ),
    attempts: async (): Promise<{ attempt: number; success: boolean; error: string | null }[]> =>
      database.all(
        database.dialect
          .builder('webhook_attempts')
          .select('attempt', 'success', 'error', 'webhook_id', 'delivery_id')
          .orderBy('id'),
      ),
  };
}
