// Signals to the dispatcher that a transaction which recorded an event has committed, so that delivery begins at once.

import type { Executor, Transact } from '../infra/db/database.ts';

export interface EventSignal {
  /** Notes that an event was recorded in this transaction. */
  recorded(executor: Executor): void;
  /** The same `transact`, which also wakes the dispatcher after each commit that recorded an event. */
  watch(transact: Transact): Transact;
}

/** Creates the signal. `wake` is called after the commit, never within the transaction, and not after a rollback. */
export function createEventSignal(wake: () => void): EventSignal {
  const marked = new WeakSet<Executor>();
  return {
    recorded: (executor) => {
      marked.add(executor);
    },
    watch: (transact) => async (work, options) => {
      let last: Executor | undefined;
      const result = await transact((executor) => {
        last = executor;
        return work(executor);
      }, options);
      if (last && marked.has(last)) wake();
      return result;
    },
  };
}
