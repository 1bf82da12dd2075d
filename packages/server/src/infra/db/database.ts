// Owns the interfaces through which the server reaches its database; the two drivers implement them.

import type { Dialect } from './dialect.ts';
import type { AdHocQuery, NoParams, Statement } from './statement.ts';

/**
 * Runs queries, either separately or all in one transaction. Callers cannot see the difference, so repositories are written once.
 * A statement takes its parameters by name; an ad-hoc Knex query has its values in it. Booleans come back as booleans, 64-bit
 * integers and sums as numbers, binary columns as Buffers.
 */
export interface Executor {
  readonly dialect: Dialect;
  all<Row>(query: Statement<NoParams, Row> | AdHocQuery): Promise<Row[]>;
  all<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row[]>;
  /** The first row, or undefined. */
  get<Row>(query: Statement<NoParams, Row> | AdHocQuery): Promise<Row | undefined>;
  get<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<Row | undefined>;
  run(query: Statement<NoParams, unknown> | AdHocQuery): Promise<number>;
  run<Params, Row>(statement: Statement<Params, Row>, params: Params): Promise<number>;
  /** Runs a statement in a transaction without waiting: it finishes at the latest with the commit, and fails with it. */
  write<Params, Row>(statement: Statement<Params, Row>, params: Params): void;
}

/**
 * The failures that a commit must survive: `power` (default) a power failure too, `process` only a kill of the server. The latter
 * is for data that may be lost with the machine: counters and request logs.
 */
export type Durability = 'power' | 'process';

export interface TransactOptions {
  durability?: Durability;
  /**
   * It adds rows that can wait. An embedded database refuses it after a full disk, until there is room for more than deletions.
   */
  growing?: boolean;
}

/** A function that runs work in a transaction: committed when it resolves, rolled back when it throws. */
export type Transact = <Result>(
  work: (executor: Executor) => Promise<Result>,
  options?: TransactOptions,
) => Promise<Result>;

export interface PoolUsage {
  readonly max: number;
  readonly open: number;
  /** Those that are idle. */
  readonly idle: number;
  /** Queries and transactions that wait for a connection, or for their turn. */
  readonly waiting: number;
}

/** A session whose transactions exclude those of other servers' sessions. */
export interface MigrationSession {
  readonly executor: Executor;
  readonly transact: Transact;
}

export interface Database extends Executor {
  /** Warnings from opening the files, for the log. */
  readonly notice?: string | undefined;
  /**
   * Runs `work` in a transaction and resolves once it is committed as durably as asked. On SQLite, transactions run one after the
   * other, and those that wait at the same time share one commit; so wait for nothing but statements inside. On PostgreSQL,
   * `work` runs again (at most 5 times) if the database asks for it, so it must have no effect outside its executor. A `transact`
   * inside `work`, and a query past its executor, throw. Errors: `database_unavailable`.
   */
  readonly transact: Transact;
  /** Runs `work` with transactions that wait for other servers that migrate this database; check again inside. */
  migrating<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result>;
  /** Runs `work` unless another server runs work of this name; undefined then. On an embedded database two may run it. */
  tryExclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined>;
  /** Runs reading `work` on a snapshot of the database, for as long as it takes, while others change it. */
  frozen<Result>(work: (executor: Executor) => Promise<Result>): Promise<Result>;
  poolUsage(): PoolUsage;
  /** Rejects unless requests can be served. Errors: `database_unavailable`, `database_damaged`. */
  check(): Promise<void>;
  /** Describes damage in the database's files, one sentence each. Slow. Empty if the database checks its files itself. */
  findDamage(): Promise<string[]>;
  /** Removes deleted data from the database's files (SQLite's write-ahead log). Slow, so call it rarely. */
  discardDeleted(): Promise<void>;
  /** Waits for running work, then closes every connection. */
  close(): Promise<void>;
}
