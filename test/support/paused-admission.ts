// A database on which a test can act between a request's admission and its first use of the database, or after a read of certain
// rows.

import type { Database, Executor, TransactOptions } from '../../packages/server/src/infra/db/database.ts';

export interface PausedAdmission {
  readonly database: Database;
  /** Runs `act` once: after the next request has been counted, before the database is used next. */
  afterNextAdmission(act: () => Promise<unknown>): void;
}

/** Wraps a database: the same except for the pause. */
export function pauseAdmissions(database: Database): PausedAdmission {
  let armed: (() => Promise<unknown>) | undefined;
  let due: (() => Promise<unknown>) | undefined;
  // Saved now, because the metrics later wrap the paused database and replace these methods.
  const original = database.transact.bind(database);

  /** Not during the counting: it batches simultaneous requests, and would also delay those of `act`. */
  async function actWhenDue(): Promise<void> {
    const act = due;
    due = undefined;
    await act?.();
  }

  async function transact<Result>(
    work: (executor: Executor) => Promise<Result>,
    options?: TransactOptions,
  ): Promise<Result> {
    await actWhenDue();
    const result = await original(work, options);
    if (armed && hasCounted(result)) {
      due = armed;
      armed = undefined;
    }
    return result;
  }

  const paused = new Proxy(database, {
    get(target, name) {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'get' && name !== 'all') return value.bind(target);
      return (...input: unknown[]) => actWhenDue().then(() => Reflect.apply(value, target, input));
    },
  });
  return {
    database: paused,
    afterNextAdmission(act) {
      armed = act;
    },
  };
}

/** Requests are admitted by transactions that return what they counted; one that counted nothing is repeated. */
function hasCounted(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('counted' in result)) return false;
  return Array.isArray(result.counted) && result.counted.length > 0;
}

/** Wraps a database: the armed action runs once, after a read with a `meant` row, before the reader gets the rows. */
export function pauseReads(database: Database, meant: (row: object) => boolean) {
  let armed: (() => Promise<unknown>) | undefined;
  const paused = new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'all') return value.bind(target);
      return async (...input: unknown[]) => {
        const rows = (await Reflect.apply(value, target, input)) as readonly object[];
        const act = rows.some(meant) ? armed : undefined;
        if (act) armed = undefined;
        await act?.();
        return rows;
      };
    },
  });
  return {
    database: paused,
    afterNext: (act: () => Promise<unknown>) => {
      armed = act;
    },
    isArmed: () => armed !== undefined,
  };
}
