// Whether the server can serve, known in time for whoever balances the load.

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../infra/app-error.ts';
import type { Database } from '../infra/db/database.ts';

/** Longest time that `/ready` waits for the database, in milliseconds: load balancers wait little longer. */
const withinMs = 2000;

export function createReadiness(database: Database) {
  let ended = false;
  return {
    /** Errors: `shutting_down`, `database_unavailable`. */
    async check() {
      if (ended)
        throw new AppError('shutting_down', 'The server is stopping', undefined, { retryAfterSeconds: 5 });
      const late = sleep(withinMs, undefined, { ref: false }).then(() => {
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
    },
    /** Makes every check fail, so that a load balancer sends no more requests here. */
    end() {
      ended = true;
    },
  };
}

function unready(message: string, cause?: unknown): AppError {
  return new AppError('database_unavailable', message, undefined, { cause, retryAfterSeconds: 5 });
}
