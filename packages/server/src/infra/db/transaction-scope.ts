// Owns the check that a transaction's work uses the transaction's executor only. Without it, a nested transaction on SQLite would
// wait for itself forever, and a query that bypasses the executor would read the state before the transaction.

import { AsyncLocalStorage } from 'node:async_hooks';

interface Scope {
  open: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs a transaction's work so that {@link refuseInTransaction} throws within it, until it settles. */
export async function withinTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
  const scope: Scope = { open: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    // Anything that the work started and left running (a timer, a wake-up of the dispatcher) is no longer part of it.
    scope.open = false;
  }
}

/** Throws if called from within a transaction's work. */
export function refuseInTransaction(action: string): void {
  if (scopes.getStore()?.open) {
    throw new Error(`${action} inside a transaction: use the executor that transact() hands to its callback`);
  }
}
