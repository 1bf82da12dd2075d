// The service's features for commands, so that the service's rules also apply to the operator.

import { type Config, keyringOptions } from '../config.ts';
import { createDataKeys } from '../infra/crypto/data-keys.ts';
import { openKeyring } from '../infra/crypto/keyring.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import { readDatabaseClock } from '../infra/db/database-clock.ts';
import { createAscendingIdGenerator, createNameableIdGenerator } from '../infra/ids.ts';
import { createStoredJobs } from '../stored-jobs.ts';
import { createEventSignal } from '../webhooks/outbox.ts';
import { createFeatureFactory, type Features } from '../work.ts';
import { operatorOrigin } from './operator-audit.ts';

/** Opens the keyring, and returns a function that builds the features of a transaction. Errors: StartupError. */
export async function createOperatorFeatures(
  config: Config,
  database: Database,
): Promise<(executor: Executor) => Features> {
  const keyring = await openKeyring(database, keyringOptions(config));
  const dataKeys = createDataKeys(keyring);
  const clock = await readDatabaseClock(database);
  // No job is run here, so no thread starts.
  const { jobs, tableBytes } = createStoredJobs({
    database,
    dataKeys,
    clock,
    limitBytes: 0,
    jobSeconds: config.jobSeconds,
  });
  const createFeatures = createFeatureFactory({
    clock,
    newId: createNameableIdGenerator(clock),
    newEventId: createAscendingIdGenerator(clock),
    dataKeys,
    jobs,
    tableBytes,
    keyring,
    // Servers look for new events anyway.
    signal: createEventSignal(() => undefined),
    traceparent: () => undefined,
    defaultQuotas: config.projectDefaults,
    maxProjects: config.maxProjects,
    installHint: undefined,
    flushLog: async () => undefined,
  });
  return (executor) => createFeatures(executor, operatorOrigin());
}
