// Does work in the background, in rounds: one after the other, again after a while, and at once when somebody asks.

import { AsyncResource } from 'node:async_hooks';

interface WorkerLoopOptions {
  /** One round. Gives the milliseconds until the next is due, or nothing for `intervalMs`. */
  readonly round: () => Promise<number | undefined>;
  readonly intervalMs: number;
  /** Called with the error of a failed round, unless the loop was stopped in the meantime. The next round is not affected. */
  readonly onError: (error: unknown) => void;
}

/** Creates the loop. Nothing runs before `start` or `wake`; its timer keeps no process alive. */
export function createWorkerLoop({ round, intervalMs, onError }: WorkerLoopOptions) {
  /** A wake-up does not pass its caller's trace or transaction on to the loop. */
  const context = new AsyncResource('envsnap.worker-loop');
  let started = false;
  let stopping = false;
  let timer: NodeJS.Timeout | undefined;
  let nextRound: PromiseWithResolvers<void> | undefined;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let own = nextRound; own; own = nextRound) {
      nextRound = undefined;
      let pauseMs: number | undefined;
      try {
        if (!stopping) pauseMs = await round();
      } catch (error) {
        if (!stopping) onError(error);
      }
      own.resolve();
      if (!nextRound && started && !stopping) schedule(pauseMs ?? intervalMs);
    }
    running = undefined;
  }

  function schedule(ms: number): void {
    clearTimeout(timer);
    timer = setTimeout(wake, ms);
    timer.unref();
  }

  function wake(): Promise<void> {
    if (stopping) return Promise.resolve();
    clearTimeout(timer);
    nextRound ??= Promise.withResolvers();
    const { promise } = nextRound;
    running ??= context.runInAsyncScope(work);
    return promise;
  }

  return {
    /** True from `stop` on: rounds look at it between two steps. */
    get stopping() {
      return stopping;
    },
    /** Begins with regular rounds, the first after so many milliseconds; default 0. */
    start(afterMs = 0) {
      started = true;
      context.runInAsyncScope(schedule, undefined, afterMs);
    },
    /** Starts a round now, or after the one that is running. Resolves at its end, even if it fails. */
    wake,
    /** Begins no further round and waits for one that is running. */
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
