// `envsnap-server prune`: deletes at once what the server would delete in its own time.

import { createBlobSweeper } from '../files/blob-sweeper.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { OperatorError } from '../infra/app-error.ts';
import { createDatabaseClock, describeSkew } from '../infra/db/database-clock.ts';
import { createLogger } from '../infra/logger.ts';
import { prune } from '../retention/retention.ts';
import { recordOperation } from './operator-audit.ts';
import { loadOperatorConfig, type OperatorFlags, parseNumber, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';

/** Runs the command. Errors: StartupError; OperatorError when the machine's clock is wrong. */
export async function runPrune(
  flags: OperatorFlags & { requestLogDays?: string; deliveryLogDays?: string },
): Promise<void> {
  const config = loadOperatorConfig(flags);
  const { requestLogDays, deliveryLogDays, auditLogDays } = config.retention;
  const daysOf = (flag: string, text: string | undefined, usual: number) =>
    text === undefined ? usual : parseNumber(flag, text, 0, 36_500);
  const days = {
    requestLogDays: daysOf('--request-log-days', flags.requestLogDays, requestLogDays),
    auditLogDays,
    deliveryLogDays: daysOf('--delivery-log-days', flags.deliveryLogDays, deliveryLogDays),
  };
  await withDatabase(config, async (database) => {
    const store = await openFileStore(config);
    const clock = createDatabaseClock(database);
    await clock.synchronize();
    if (clock.isOwnClockWrong()) throw new OperatorError(describeSkew(clock));
    const pruned = await prune(database, clock, days);
    const blobs = await createBlobSweeper(database, store, createLogger({ level: 'error' })).sweep();
    await recordOperation(database, 'logs.pruned', { ...pruned, blobs });
    await database.discardDeleted();
    print(
      flags,
      { ...pruned, blobs },
      columns([
        [`${pruned.requestLogs}`, `logged requests older than ${days.requestLogDays} days`],
        [`${pruned.deliveryAttempts}`, `logged deliveries older than ${days.deliveryLogDays} days`],
        [`${pruned.events}`, 'finished events of that age'],
        [`${pruned.idempotencyKeys}`, 'expired answers to idempotent requests'],
        [`${pruned.rateLimitWindows}`, 'rate limit counters of callers who are gone'],
        [`${pruned.auditEntries}`, `entries of the audit log older than ${days.auditLogDays} days`],
        [`${pruned.revokedKeys}`, 'remembered keys that were revoked before that'],
        [`${blobs}`, 'stored files that nothing refers to'],
      ]),
    );
  });
}
