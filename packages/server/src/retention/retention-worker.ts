// Prunes in the background: shortly after the start, then every hour, on one server at a time.

import type { Clock } from '../infra/clock.ts';
import type { Database } from '../infra/db/database.ts';
import type { Logger } from '../infra/logger.ts';
import { prune, type RetentionDays } from './retention.ts';

const firstDelayMs = 60_000;
const intervalMs = 3_600_000;

export interface RetentionWorker {
  start(): void;
  /** Begins no further round and waits for one that is running. */
  stop(): Promise<void>;
}

/** Creates the worker. */
export function createRetentionWorker(
  database: Database,
  clock: Clock,
  days: RetentionDays,
  logger: Logger,
): RetentionWorker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function round(): Promise<void> {
    try {
      const pruned = await database.tryExclusively('envsnap retention', () => prune(database, clock, days));
      if (pruned && Object.values(pruned).some((count) => count > 0)) logger.info({ pruned }, 'pruned');
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'could not prune');
    }
  }

  function schedule(delayMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      running = round().then(() => schedule(intervalMs));
    }, delayMs);
    timer.unref();
  }

  return {
    start: () => schedule(firstDelayMs),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
