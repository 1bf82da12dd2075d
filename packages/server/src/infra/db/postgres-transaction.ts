// Owns PostgreSQL's transactions on one connection. Queries are sent at once, without waiting for the results of earlier ones, so
// independent queries cost one round trip: BEGIN goes with the first queries, COMMIT with the last writes.

import type pg from 'pg';
import type { Durability, Executor } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { isConnectionFailure } from './postgres-errors.ts';
import { type AnyQuery, bindValues, compile } from './statement.ts';
import { withinTransaction } from './transaction-scope.ts';

/** Rules for a connection behind a pooler, where statements and settings do not outlive a transaction. */
interface ConnectionTerms {
  /** Whether statements may be prepared by name. */
  readonly named: boolean;
  /** SQL at the beginning of each transaction, such as `SET LOCAL …;`. */
  readonly settings: string;
}

const termsOf = new WeakMap<pg.ClientBase, ConnectionTerms>();

/** Sets the rules for a connection; by default, statements are named and transactions begin with a plain BEGIN. */
export function setTerms(client: pg.ClientBase, terms: ConnectionTerms): void {
  termsOf.set(client, terms);
}

/** Sends a query; the connection must have been opened with `pipeline`. */
export function sendQuery(client: pg.ClientBase, query: AnyQuery, params: unknown): Promise<pg.QueryResult> {
  const compiled = compile(query, postgresDialect, params);
  const values = bindValues(compiled, params, postgresDialect);
  const name = termsOf.get(client)?.named === false ? undefined : compiled.name;
  return client.query({ text: compiled.sql, values, ...(name !== undefined && { name }) });
}

/** Handles the results of queries on this connection. */
export abstract class PostgresQueries {
  readonly dialect = postgresDialect;

  protected abstract query(query: AnyQuery, params: unknown): Promise<pg.QueryResult>;

  async all<Row>(query: AnyQuery, params?: unknown): Promise<Row[]> {
    return (await this.query(query, params)).rows;
  }

  async get<Row>(query: AnyQuery, params?: unknown): Promise<Row | undefined> {
    return (await this.query(query, params)).rows[0];
  }

  async run(query: AnyQuery, params?: unknown): Promise<number> {
    return (await this.query(query, params)).rowCount ?? 0;
  }
}

/** Runs queries on one connection; those of a transaction end with it. */
export class ConnectionExecutor extends PostgresQueries implements Executor {
  readonly #client: pg.ClientBase;
  /** The first write that failed; later failures are its consequence. */
  #failure: { readonly error: unknown } | undefined;
  readonly #writes: Promise<unknown>[] = [];
  #open = true;

  constructor(client: pg.ClientBase) {
    super();
    this.#client = client;
  }

  end(): void {
    this.#open = false;
  }

  write(query: AnyQuery, params?: unknown): void {
    const writing = this.query(query, params).catch((error: unknown) => {
      this.#failure ??= { error };
    });
    this.#writes.push(writing);
  }

  /** Resolves when every write has a result. */
  async settle(): Promise<void> {
    await Promise.all(this.#writes);
  }

  /** The reason for an error: that of an earlier write, if one failed. */
  reasonOf(error: unknown): unknown {
    return this.#failure ? this.#failure.error : error;
  }

  protected query(query: AnyQuery, params: unknown): Promise<pg.QueryResult> {
    if (!this.#open) throw new Error('the transaction has ended');
    return sendQuery(this.#client, query, params);
  }
}

/** One attempt at a transaction. Resolves when it is committed; rejects if it was rolled back. */
export async function transactOn<Result>(
  client: pg.ClientBase,
  work: (executor: Executor) => Promise<Result>,
  durability: Durability,
): Promise<Result> {
  const settings = termsOf.get(client)?.settings ?? '';
  const begun = client.query(
    durability === 'process'
      ? `BEGIN ISOLATION LEVEL READ COMMITTED; ${settings}SET LOCAL synchronous_commit = off`
      : `BEGIN ISOLATION LEVEL READ COMMITTED;${settings}`,
  );
  // If it fails, the queries after it are not one transaction. The end of the transaction handles that.
  begun.catch(() => undefined);
  const executor = new ConnectionExecutor(client);
  let result: Result;
  try {
    result = await withinTransaction(() => work(executor));
  } catch (thrown) {
    executor.end();
    await executor.settle();
    const error = executor.reasonOf(thrown);
    await rollback(client, error);
    throw error;
  }
  executor.end();
  await commit(client, executor, begun);
  return result;
}

async function commit(
  client: pg.ClientBase,
  executor: ConnectionExecutor,
  begun: Promise<unknown>,
): Promise<void> {
  const committing = client.query('COMMIT');
  committing.catch(() => undefined);
  await begun;
  const { command } = await committing;
  if (command === 'COMMIT') return;
  await executor.settle();
  // If a statement failed and the work carried on, PostgreSQL responds to COMMIT with a rollback, not an error.
  throw executor.reasonOf(new Error('the transaction was rolled back because a statement in it failed'));
}

async function rollback(client: pg.ClientBase, error: unknown): Promise<void> {
  if (!isConnectionFailure(error)) await client.query('ROLLBACK');
}
