// A database on which a test can act between the moment when a request's key is recognised and the request's effect.

import type {
  Database,
  Executor,
  TransactOptions,
  WorkedTransaction,
} from '../../packages/server/src/infra/db/database.ts';

export interface PausedAdmission {
  readonly database: Database;
  /** Runs `act` once, right after the next request has been let in and before it goes on. */
  afterNextAdmission(act: () => Promise<unknown>): void;
}

/** Wraps a database: the same in everything, but for the pause. */
export function pauseAdmissions(database: Database): PausedAdmission {
  let armed: (() => Promise<unknown>) | undefined;

  async function transactAhead<Result>(
    work: (executor: Executor) => Promise<Result>,
    options?: TransactOptions,
  ): Promise<WorkedTransaction<Result>> {
    const worked = await database.transactAhead(work, options);
    if (armed) {
      await worked.committed;
      const act = armed;
      armed = undefined;
      await act();
    }
    return worked;
  }

  const paused = new Proxy(database, {
    get(target, name) {
      // Requests are let in by transactions of this kind, and by no other.
      if (name === 'transactAhead') return transactAhead;
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
