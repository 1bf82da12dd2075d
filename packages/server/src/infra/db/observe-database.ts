// Measures how long the database takes, for metrics: each query outside a transaction, and each transaction as a whole.
// Work that many callers share, such as counting their requests, is measured once.

import type { Database } from './database.ts';

/** The timed operation: a single query, or a transaction from waiting for its turn to its commit. */
export type DatabaseOperation = 'query' | 'transaction';

type ObserveDatabase = (operation: DatabaseOperation, durationMs: number) => void;

/** Calls `observe` with everything that the database does from now on. Returns the same database. */
export function observeDatabase(database: Database, observe: ObserveDatabase): Database {
  /** One call may make another of these, which is a part of it. */
  let within = false;

  function timed<Args extends unknown[], Result>(
    operation: DatabaseOperation,
    call: (...args: Args) => Promise<Result>,
  ): (...args: Args) => Promise<Result> {
    return (...args) => {
      if (within) return call(...args);
      const startedMs = performance.now();
      within = true;
      let running: Promise<Result>;
      try {
        running = call(...args);
      } finally {
        within = false;
      }
      const end = () => observe(operation, performance.now() - startedMs);
      running.then(end, end);
      return running;
    };
  }

  const { all, get, run, transact } = database;
  return Object.assign(database, {
    all: timed('query', all.bind(database)),
    get: timed('query', get.bind(database)),
    run: timed('query', run.bind(database)),
    transact: timed('transaction', transact.bind(database)),
  });
}
