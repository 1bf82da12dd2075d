// Reads the database's clock regularly, and logs it if the machine's own clock is wrong.

import type { DatabaseClock } from '../infra/db/database-clock.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';

const intervalMs = 30_000;

export function createClockWorker(clock: DatabaseClock, logger: Logger) {
  let wasWrong = false;

  async function round(): Promise<undefined> {
    await clock.synchronize();
    const isWrong = clock.isOwnClockWrong();
    const skewSeconds = Math.round(clock.skewMs() / 1000);
    if (isWrong && !wasWrong) {
      logger.error(
        { skewSeconds },
        "the machine's clock differs from the database's: nothing is deleted until it is corrected",
      );
    }
    if (!isWrong && wasWrong)
      logger.info({ skewSeconds }, "the machine's clock agrees with the database's again");
    wasWrong = isWrong;
  }

  return createWorkerLoop({
    round,
    intervalMs,
    // Requests already report that the database is unavailable.
    onError: (error) => logger.debug({ err: error }, "could not read the database's clock"),
  });
}
