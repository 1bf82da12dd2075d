// Whether the server can serve requests. The check ends in time for a load balancer.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, stopping } from '../infra/app-error.ts';
import type { Database } from '../infra/db/database.ts';
import type { DatabaseClock } from '../infra/db/database-clock.ts';

/** Longest time that `/ready` waits for the database, in milliseconds: load balancers wait little longer. */
const withinMs = 2000;

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness(
  database: Database,
  clock: Pick<DatabaseClock, 'isOwnClockWrong' | 'skewMs'>,
) {
  let ended = false;
  return {
    /**
     * Returns the difference between the machine's clock and the database's if it is too large. The server stays ready, because
     * requests use the database's clock. Errors: `shutting_down`, `database_unavailable`.
     */
    async check(): Promise<{ clockSkewSeconds: number | undefined }> {
      if (ended) throw stopping();
      const late = sleep(withinMs, undefined, { ref: false }).then(() => {
        throw unready('The database does not respond.');
      });
      try {
        await Promise.race([database.check(), late]);
      } catch (error) {
        // A load balancer should send requests elsewhere if the database is damaged.
        if (error instanceof AppError && error.code === 'database_damaged')
          throw unready(error.message, error.cause);
        throw error;
      }
      const isWrong = clock.isOwnClockWrong();
      return { clockSkewSeconds: isWrong ? Math.round(clock.skewMs() / 1000) : undefined };
    },
    end() {
      ended = true;
    },
  };
}

function unready(message: string, cause?: unknown): AppError {
  return new AppError('database_unavailable', message, undefined, { cause, retryAfterSeconds: 5 });
}
