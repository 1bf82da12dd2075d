// Creates the partitions of the next days and prunes in the background: a minute after the start, then every hour, on one server
// at a time, and never on one whose clock is wrong. Answers that are kept for retries are deleted within a minute after they
// expire, which for those with a secret is after 10 minutes (docs/specification.md §9).

import type { Database } from '../infra/db/database.ts';
import type { DatabaseClock } from '../infra/db/database-clock.ts';
import { addPartitions } from '../infra/db/time-partitions.ts';
import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { prune, pruneSpentAnswers, type RetentionDays } from './retention.ts';

const intervalMs = 60_000;
/** Number of rounds after which everything is pruned, not only expired answers. */
const roundsPerPrune = 60;

export function createRetentionWorker(
  database: Database,
  clock: DatabaseClock,
  days: RetentionDays,
  logger: Logger,
  metrics: Pick<Metrics, 'countRetention'>,
) {
  let rounds = 0;

  async function round(): Promise<undefined> {
    await clock.synchronize();
    if (clock.isOwnClockWrong()) return;
    const isWhole = rounds % roundsPerPrune === 0;
    rounds += 1;
    if (!isWhole) {
      await pruneSpentAnswers(database, clock.nowMs());
      return;
    }
    const pruned = await database.tryExclusively('envsnap retention', async () => {
      await addPartitions(database, clock.nowMs());
      return prune(database, clock, days, { wholeDays: true });
    });
    if (pruned) metrics.countRetention({ ...pruned });
    if (pruned && Object.values(pruned).some((count) => count > 0)) logger.info({ pruned }, 'pruned');
  }

  const loop = createWorkerLoop({
    round,
    intervalMs,
    onError(error) {
      metrics.countRetention('failed');
      logger.warn({ err: error }, 'could not prune');
    },
  });
  return {
    start: () => loop.start(intervalMs),
    wake: loop.wake,
    stop: () => loop.stop(),
  };
}
