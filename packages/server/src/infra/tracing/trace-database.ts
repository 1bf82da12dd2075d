// Makes spans of what the database does for a request: its queries, and transactions with theirs.

import type { Database, Executor } from '../db/database.ts';
import { type AnyQuery, compile } from '../db/statement.ts';
import type { Tracing } from './tracing.ts';

type AnyCall = (query: AnyQuery, params?: unknown) => Promise<unknown>;
type Reading = 'all' | 'get' | 'run';

/** Has spans made of everything that the database does from now on. Returns the same database. */
export function traceDatabase(database: Database, tracing: Tracing): Database {
  const { dialect } = database;
  const system = dialect.name;

  function traced(call: AnyCall): AnyCall {
    return (query, params) => {
      if (tracing.traceparent() === undefined) return call(query, params);
      const text = compile(query, dialect, params).sql;
      const attributes = { 'db.system.name': system, 'db.query.text': text };
      return tracing.within(nameOf(text), attributes, () => call(query, params));
    };
  }

  function tracedCalls(executor: Executor): Pick<Executor, Reading> {
    const calls = executor as unknown as Record<Reading, AnyCall>;
    return {
      all: traced((query, params) => calls.all(query, params)),
      get: traced((query, params) => calls.get(query, params)),
      run: traced((query, params) => calls.run(query, params)),
    } as Pick<Executor, Reading>;
  }

  /** An executor that is told apart from others as the one that it stands for. */
  function tracedExecutor(executor: Executor): Executor {
    return Object.assign(Object.create(executor) as Executor, {
      ...tracedCalls(executor),
      dialect: executor.dialect,
      write: executor.write.bind(executor),
    });
  }

  const transact = database.transact.bind(database);
  const { all, get, run } = database;
  const plain = { all: all.bind(database), get: get.bind(database), run: run.bind(database) };
  const attributes = { 'db.system.name': system };
  return Object.assign(database, {
    ...tracedCalls(plain as unknown as Executor),
    transact: ((work, options) =>
      tracing.within('transaction', attributes, () =>
        transact((executor) => work(tracedExecutor(executor)), options),
      )) as Database['transact'],
  });
}

/** `select snapshots`, as OpenTelemetry names spans of databases. */
function nameOf(sql: string): string {
  const verb = /^\s*(\w+)/.exec(sql)?.[1]?.toLowerCase() ?? 'query';
  const table = /\b(?:from|into|update)\s+["`]?(\w+)/i.exec(sql)?.[1];
  return table === undefined ? verb : `${verb} ${table}`;
}
