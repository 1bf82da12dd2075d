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
  // Taken now: who wraps the paused database in turn (its metrics do) puts its own methods in their place.
  const original = {
    get: database.get.bind(database) as (...query: Parameters<Database['get']>) => Promise<unknown>,
    transactAhead: database.transactAhead.bind(database),
  };

  async function pause(): Promise<void> {
    const act = armed;
    armed = undefined;
    await act?.();
  }

  /** Requests are let in by transactions of this kind, and by no other … */
  async function transactAhead<Result>(
    work: (executor: Executor) => Promise<Result>,
    options?: TransactOptions,
  ): Promise<WorkedTransaction<Result>> {
    const worked = await original.transactAhead(work, options);
    if (armed) {
      await worked.committed;
      await pause();
    }
    return worked;
  }

  /** … or, where no lock is needed for it, by this query. */
  async function get(...query: Parameters<Database['get']>): Promise<unknown> {
    const row = await original.get(...query);
    const [, params] = query as [unknown, Record<string, unknown> | undefined];
    if (row && params && 'keyHash' in params) await pause();
    return row;
  }

  const paused = new Proxy(database, {
    get(target, name) {
      if (name === 'transactAhead') return transactAhead;
      if (name === 'get') return get;
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
