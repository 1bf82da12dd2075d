// Announces keys that expire soon: at the start, then every ten minutes. Servers of one database share the work.

import type { Logger } from '../infra/logger.ts';
import { createWorkerLoop } from '../infra/worker-loop.ts';

const intervalMs = 600_000;

/** Creates the worker. `announce` announces some keys and returns their number; 0 if none is left. */
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
