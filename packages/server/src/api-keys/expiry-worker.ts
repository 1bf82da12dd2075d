// Announces keys that end soon: at the start, then every ten minutes. Servers of one database share the work.

import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';

const intervalMs = 600_000;

/** Creates the worker. `announce` notifies of some keys and returns how many; 0 when none is left. */
export function createExpiryWorker(announce: () => Promise<number>, logger: Logger) {
  const loop = createWorkerLoop({
    async round() {
      while (!loop.stopping && (await announce()) > 0);
      return undefined;
    },
    intervalMs,
    onError: (error) => logger.warn({ err: error }, 'key.expiring events could not be recorded'),
  });
  return loop;
}
