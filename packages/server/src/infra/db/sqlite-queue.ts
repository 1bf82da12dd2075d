// Owns SQLite's transactions: they run one after the other on the writing connection, and those that wait at the
// same time share one commit, because flushing the disk costs more than everything else in a transaction together.

import { AsyncResource } from 'node:async_hooks';
import type { Durability, Executor } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import type { SqliteSession } from './sqlite-session.ts';
import type { AnyQuery } from './statement.ts';
import { refuseInTransaction, withinTransaction } from './transaction-scope.ts';

/** Maximum number of transactions that share one commit; bounds how long the event loop is held. */
const maxGroupSize = 64;

interface WaitingTransaction {
  readonly durability: Durability;
  readonly work: (executor: Executor) => Promise<unknown>;
  /** Restores the caller's asynchronous context (its request id) around the work. */
  readonly context: AsyncResource;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

export class TransactionExecutor implements Executor {
  readonly dialect = sqliteDialect;
  readonly #session: SqliteSession;
  #open = true;

  constructor(session: SqliteSession) {
    this.#session = session;
  }

  end(): void {
    this.#open = false;
  }

  async all<Row>(query: AnyQuery, params?: unknown): Promise<Row[]> {
    return this.#live().all(this.#session.prepare(query, params)) as Row[];
  }

  async get<Row>(query: AnyQuery, params?: unknown): Promise<Row | undefined> {
    return this.#live().get(this.#session.prepare(query, params)) as Row | undefined;
  }

  async run(query: AnyQuery, params?: unknown): Promise<number> {
    return this.#live().run(this.#session.prepare(query, params));
  }

  write(query: AnyQuery, params?: unknown): void {
    this.#live().run(this.#session.prepare(query, params));
  }

  /** After a disk error SQLite rolls back automatically; later statements would then commit one by one. */
  #live(): SqliteSession {
    if (!this.#open || !this.#session.inTransaction) throw new Error('the transaction has ended');
    return this.#session;
  }
}

export class SqliteQueue {
  readonly #session: SqliteSession;
  readonly #waiting: WaitingTransaction[] = [];
  readonly #atRest: (() => void)[] = [];
  #synchronous: 'FULL' | 'NORMAL' = 'FULL';
  #scheduled = false;
  #busy = false;

  /** The session's connection must be in WAL mode with `synchronous = FULL`. */
  constructor(session: SqliteSession) {
    this.#session = session;
  }

  /** A group of transactions is in progress, so the writing connection sees uncommitted rows. */
  get busy(): boolean {
    return this.#busy;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  transact<Result>(work: (executor: Executor) => Promise<Result>, durability: Durability): Promise<Result> {
    refuseInTransaction('transact()');
    return new Promise<Result>((resolve, reject) => {
      this.#waiting.push({
        durability,
        work,
        context: new AsyncResource('envsnap.transaction'),
        resolve: resolve as (result: unknown) => void,
        reject,
      });
      this.#schedule();
    });
  }

  /** Runs something on the writing connection while no transaction is under way. */
  whenAtRest<Result>(action: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#atRest.push(() => {
        try {
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
      this.#schedule();
    });
  }

  /** Starts a group after the input that is ready now has been read, so that its transactions join the group. */
  #schedule(): void {
    if (this.#scheduled || this.#busy) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#next();
    });
  }

  async #next(): Promise<void> {
    const group = this.#waiting.splice(0, maxGroupSize);
    if (group.length > 0) {
      this.#busy = true;
      await this.#runGroup(group);
      this.#busy = false;
    }
    if (this.#waiting.length === 0) for (const action of this.#atRest.splice(0)) action();
    else this.#schedule();
  }

  async #runGroup(group: readonly WaitingTransaction[]): Promise<void> {
    const done: { transaction: WaitingTransaction; result: unknown }[] = [];
    try {
      this.#setSynchronous(group.some(({ durability }) => durability === 'power') ? 'FULL' : 'NORMAL');
      this.#session.control('BEGIN IMMEDIATE');
    } catch (error) {
      for (const transaction of group) transaction.reject(error);
      return;
    }
    const alone = group.length === 1;
    /** The error for which SQLite itself ended the whole transaction: a full or failing disk. */
    let lost: unknown;
    for (const transaction of group) {
      if (lost !== undefined) {
        transaction.reject(lost);
        continue;
      }
      try {
        if (!alone) this.#session.control('SAVEPOINT work');
        const result = await this.#runOne(transaction);
        if (!alone) this.#session.control('RELEASE work');
        done.push({ transaction, result });
      } catch (error) {
        transaction.reject(error);
        this.#undo(alone);
        if (!this.#session.inTransaction) lost = error;
      }
    }
    try {
      if (lost !== undefined) throw lost;
      this.#session.control('COMMIT');
      for (const { transaction, result } of done) transaction.resolve(result);
    } catch (error) {
      this.#undo(true);
      for (const { transaction } of done) transaction.reject(error);
    }
  }

  async #runOne({ context, work }: WaitingTransaction): Promise<unknown> {
    const executor = new TransactionExecutor(this.#session);
    try {
      return await context.runInAsyncScope(() => withinTransaction(() => work(executor)));
    } finally {
      executor.end();
    }
  }

  /** Rolls back the transaction's own part, or everything. */
  #undo(everything: boolean): void {
    if (!this.#session.inTransaction) return;
    if (everything) {
      this.#session.control('ROLLBACK');
    } else {
      this.#session.control('ROLLBACK TO work');
      this.#session.control('RELEASE work');
    }
  }

  /** SQLite takes this setting between transactions only; it costs a microsecond, a flush of the disk hundreds. */
  #setSynchronous(level: 'FULL' | 'NORMAL'): void {
    if (level === this.#synchronous) return;
    this.#session.execute(`PRAGMA synchronous = ${level}`);
    this.#synchronous = level;
  }
}
