// `envsnap-server prune`: deletes at once what the server would delete in its own time.

import { createBlobSweeper } from '../files/blob-sweeper.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { StartupError } from '../infra/app-error.ts';
import { systemClock } from '../infra/clock.ts';
import { createLogger } from '../infra/logger.ts';
import { prune } from '../retention/retention.ts';
import { recordOperation } from './operator-audit.ts';
import { loadOperatorConfig, type OperatorFlags, withDatabase } from './operator-session.ts';
import { columns, print } from './print.ts';

/** Runs the command. Errors: StartupError. */
export async function runPrune(
  flags: OperatorFlags & { requestLogDays?: string; deliveryLogDays?: string },
): Promise<void> {
  const config = loadOperatorConfig(flags);
  const days = {
    requestLogDays: parseDays('--request-log-days', flags.requestLogDays) ?? config.retention.requestLogDays,
    auditLogDays: config.retention.auditLogDays,
    deliveryLogDays:
      parseDays('--delivery-log-days', flags.deliveryLogDays) ?? config.retention.deliveryLogDays,
  };
  await withDatabase(config, async (database) => {
    const store = await openFileStore(config);
    const pruned = await prune(database, systemClock, days);
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

function parseDays(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 36_500) return value;
  throw new StartupError(`${flag} must be a whole number from 0 to 36500`);
}
