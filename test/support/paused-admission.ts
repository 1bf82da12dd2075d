// A database on which a test can act between the moment when a request is let in and its first use of the database, or after a
// read of certain rows.

import type { Database, Executor, TransactOptions } from '../../packages/server/src/infra/db/database.ts';

export interface PausedAdmission {
  readonly database: Database;
  /** Runs `act` once: after the next request has been counted, before the database is used next. */
  afterNextAdmission(act: () => Promise<unknown>): void;
}

/** Wraps a database: the same in everything, but for the pause. */
export function pauseAdmissions(database: Database): PausedAdmission {
  let armed: (() => Promise<unknown>) | undefined;
  let due: (() => Promise<unknown>) | undefined;
  // Taken now, because the metrics later wrap the paused database and replace these methods.
  const original = database.transact.bind(database);

  /** Not within the counting: it gathers the requests of one moment, and would hold up those of `act` too. */
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

/** Requests are let in by transactions that return what they counted; one that counted none is made again. */
function hasCounted(result: unknown): boolean {
  if (typeof result !== 'object' || result === null || !('counted' in result)) return false;
  return Array.isArray(result.counted) && result.counted.length > 0;
}

/** Wraps a database: what is armed runs once, when rows have been read of which one is `meant`, before the reader has them. */
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
