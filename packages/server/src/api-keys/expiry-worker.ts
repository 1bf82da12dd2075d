// Announces keys that end soon: at the start, then every ten minutes. Servers of one database share the work.

import type { Logger } from '../infra/logger.ts';

const intervalMs = 600_000;

export interface ExpiryWorker {
  start(): void;
  /** Begins no further round and waits for one that is running. */
  stop(): Promise<void>;
}

/** Creates the worker. `announce` notifies of some keys and returns how many; 0 when none is left. */
export function createExpiryWorker(announce: () => Promise<number>, logger: Logger): ExpiryWorker {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  async function round(): Promise<void> {
    try {
      while (!stopped && (await announce()) > 0);
    } catch (error) {
      if (!stopped) logger.warn({ err: error }, 'keys that end soon could not be announced');
    }
  }

  function begin(): void {
    running = round().then(() => {
      if (stopped) return;
      timer = setTimeout(begin, intervalMs);
      timer.unref();
    });
  }

  return {
    start: begin,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
