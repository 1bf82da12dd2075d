// A database on which a test can act between the moment when a request's key is recognised and the request's effect.

import type { Database, Executor, TransactOptions } from '../../packages/server/src/infra/db/database.ts';

export interface PausedAdmission {
  readonly database: Database;
  /** Runs `act` once, right after the next request has been let in and before it goes on. */
  afterNextAdmission(act: () => Promise<unknown>): void;
}

/** Wraps a database: the same in everything, but for the pause. */
export function pauseAdmissions(database: Database): PausedAdmission {
  let armed: (() => Promise<unknown>) | undefined;
  // Taken now: who wraps the paused database in turn (its metrics do) puts its own methods in their place.
  const original = database.transact.bind(database);

  /** Requests are let in by transactions that give what they counted. */
  async function transact<Result>(
    work: (executor: Executor) => Promise<Result>,
    options?: TransactOptions,
  ): Promise<Result> {
    const result = await original(work, options);
    if (armed && typeof result === 'object' && result !== null && 'counted' in result) {
      const act = armed;
      armed = undefined;
      await act();
    }
    return result;
  }

  const paused = new Proxy(database, {
    get(target, name) {
      if (name === 'transact') return transact;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return {
    database: paused,
    afterNextAdmission(act) {
      armed = act;
    },
  };
}
