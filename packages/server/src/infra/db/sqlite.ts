// Owns the SQLite driver: a connection that writes, in transactions from a queue, and one that only reads.

import { closeSync, existsSync, openSync } from 'node:fs';
import BetterSqlite3, { type Database as Connection } from 'better-sqlite3';
import { StartupError } from '../app-error.ts';
import { giveToFolderOwner } from '../ownership.ts';
import type { Database, Executor, MigrationSession, PoolUsage, TransactOptions } from './database.ts';
import { sqliteDialect } from './dialect.ts';
import { createDiskReserve, type DiskReserve } from './disk-reserve.ts';
import { diskFull, isDamage, isDiskFull, logDeleted, toAppError } from './sqlite-errors.ts';
import { findMissingLog, logIdOf, markClosed, markOpened } from './sqlite-file.ts';
import { SqliteQueue, TransactionExecutor } from './sqlite-queue.ts';
import { type PreparedCall, SqliteSession } from './sqlite-session.ts';
import type { AnyQuery } from './statement.ts';
import { refuseInTransaction } from './transaction-scope.ts';

/** Longest wait for another process that writes, in milliseconds. */
const busyTimeoutMs = 5000;
/** With less room than this on its disk, the database cannot take what a request may bring. */
const leastFreeBytes = 1024 * 1024;
/**
 * Pages of the write-ahead log (8 MiB) from which a commit copies them to the database, which blocks everybody. The same pages
 * change again and again, so copying more often copies more in total, and copying less often blocks longer each time.
 */
const checkpointPages = 2000;
/** The write-ahead log is cut back to this size once it has been larger. */
const walSizeLimitBytes = 64 * 1024 * 1024;

/**
 * Opens the embedded database in `file`, made with mode 0600 when absent. A server keeps a reserve on its disk. Errors: StartupError
 * when it cannot be used.
 */
export function openSqlite(file: string, keepsReserve = false): Database {
  let missingLog: string | undefined;
  try {
    missingLog = findMissingLog(file);
    const reserve = createDiskReserve(file, keepsReserve);
    const writer = openWriter(file, Math.min(checkpointPages, Math.floor(reserve.logPages)));
    markOpened(file);
    const reader = new BetterSqlite3(file, { readonly: true, timeout: busyTimeoutMs });
    return new SqliteDatabase(file, writer, reader, reserve, missingLog);
  } catch (error) {
    const reason = missingLog ?? (error instanceof Error ? error.message : String(error));
    throw new StartupError(`cannot open the database file ${file}: ${reason}`, { cause: error });
  }
}

function openWriter(file: string, mostLogPages: number): Connection {
  // The write-ahead log and its index inherit mode and owner.
  const isNew = !existsSync(file);
  const descriptor = openSync(file, 'a', 0o600);
  if (isNew) giveToFolderOwner(file, descriptor);
  closeSync(descriptor);
  const connection = new BetterSqlite3(file, { timeout: busyTimeoutMs });
  connection.pragma('journal_mode = WAL');
  connection.pragma('synchronous = FULL');
  // macOS: without these two, what fsync wrote may still be in the drive's cache only.
  connection.pragma('fullfsync = ON');
  connection.pragma('checkpoint_fullfsync = ON');
  connection.pragma('foreign_keys = ON');
  connection.pragma('secure_delete = ON');
  connection.pragma(`journal_size_limit = ${walSizeLimitBytes}`);
  connection.pragma(`wal_autocheckpoint = ${mostLogPages}`);
  dropStatistics(connection);
  return connection;
}

/** Drops the statistics of an operator's ANALYZE: without them, SQLite plans for large tables, which these become. */
function dropStatistics(connection: Connection): void {
  try {
    connection.exec('drop table if exists sqlite_stat1; drop table if exists sqlite_stat4');
    // Drops the statistics that this connection has already read.
    connection.pragma('writable_schema = RESET');
  } catch {
    // If the disk is full or another transaction runs long, slow plans are better than no start.
  }
}

class SqliteDatabase implements Database {
  readonly dialect = sqliteDialect;
  readonly notice: string | undefined;
  readonly #file: string;
  readonly #logId: number | undefined;
  readonly #writer: SqliteSession;
  readonly #reader: SqliteSession;
  readonly #queue: SqliteQueue;
  /** The first sign of damage. It stays, because further damage shows only when it is read. */
  #damage: unknown;
  readonly #reserve: DiskReserve;
  /** The error of a full disk, until there is room again. */
  #full: unknown;
  #closing: Promise<void> | undefined;

  constructor(
    file: string,
    writer: Connection,
    reader: Connection,
    reserve: DiskReserve,
    notice: string | undefined,
  ) {
    this.#file = file;
    this.#logId = logIdOf(file);
    this.#reserve = reserve;
    this.notice = notice;
    reserve.keep();
    this.#writer = new SqliteSession(writer);
    this.#reader = new SqliteSession(reader);
    this.#queue = new SqliteQueue(this.#writer);
  }

  all<Row>(query: AnyQuery, params?: unknown): Promise<Row[]> {
    return this.#single(query, params, (session, call) => session.all(call) as Row[]);
  }

  get<Row>(query: AnyQuery, params?: unknown): Promise<Row | undefined> {
    return this.#single(query, params, (session, call) => session.get(call) as Row | undefined);
  }

  run(query: AnyQuery, params?: unknown): Promise<number> {
    return this.#single(query, params, (session, call) => session.run(call));
  }

  async transact<Result>(
    work: (executor: Executor) => Promise<Result>,
    { durability = 'power', growing = false }: TransactOptions = {},
  ): Promise<Result> {
    if (growing && this.#full !== undefined && this.#reserve.isGivenUp()) await this.#findRoom();
    const run = () => this.#queue.transact(work, durability);
    try {
      return await run();
    } catch (error) {
      const isFreed = !growing && durability === 'power' && isDiskFull(error) && this.#reserve.giveUp();
      this.#notice(error);
      if (!isFreed) throw toAppError(error);
    }
    // The write-ahead log is copied to the database, which frees the space of the log.
    await this.discardDeleted();
    try {
      return await run();
    } catch (error) {
      throw this.#notice(error);
    }
  }

  /** One connection writes; transactions wait for their turn there. */
  poolUsage(): PoolUsage {
    return { max: 1, open: 1, idle: this.#queue.busy ? 0 : 1, waiting: this.#queue.waiting };
  }

  async check(): Promise<void> {
    if (this.#damage !== undefined) throw this.#notice(this.#damage);
    const { builder } = sqliteDialect;
    await this.get(builder.select(builder.raw('1 as ready')));
    if (logIdOf(this.#file) !== this.#logId) throw logDeleted();
    if (this.#reserve.freeBytes() < leastFreeBytes) throw diskFull();
    if (this.#full !== undefined) await this.#findRoom();
    this.#reserve.keep();
  }

  /**
   * Checks whether a disk that was full has room again. It writes to find out, because small changes may fit. Errors:
   * `database_unavailable`.
   */
  async #findRoom(): Promise<void> {
    const { builder } = sqliteDialect;
    if (this.#reserve.isGivenUp()) {
      const free = await this.get<{ bytes: number }>(
        builder.raw(
          'select freelist_count * page_size as bytes from pragma_freelist_count, pragma_page_size',
        ),
      );
      const roomBytes = this.#reserve.freeBytes() + (free?.bytes ?? 0);
      if (roomBytes < this.#reserve.neededBytes) throw diskFull(this.#full);
    }
    await this.run(builder('schema_migrations').update('applied_at', builder.ref('applied_at')));
    this.#full = undefined;
    this.#reserve.keep();
  }

  /** In transactions only; outside of one, the result of the write would be lost. */
  write(): never {
    throw new Error('write() outside a transaction: use run()');
  }

  /** Needs no extra lock: each migration is a writing transaction and checks again whether it is needed. */
  migrating<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    return work({ executor: this, transact: (inner, options) => this.transact(inner, options) });
  }

  tryExclusively<Result>(_name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    return work();
  }

  /** A reading transaction on a separate connection: in WAL mode it keeps its view and blocks nobody. */
  async frozen<Result>(work: (executor: Executor) => Promise<Result>): Promise<Result> {
    const session = new SqliteSession(
      new BetterSqlite3(this.#file, { readonly: true, timeout: busyTimeoutMs }),
    );
    try {
      session.control('BEGIN');
      session.execute('SELECT count(*) FROM sqlite_master');
      return await work(new TransactionExecutor(session));
    } catch (error) {
      throw toAppError(error);
    } finally {
      session.close();
    }
  }

  async findDamage(): Promise<string[]> {
    const { builder } = sqliteDialect;
    const damage = await this.all<{ integrity_check: string }>(builder.raw('pragma integrity_check(20)'));
    const orphans = await this.all<{ table: string; parent: string }>(
      builder.raw('select distinct "table", parent from pragma_foreign_key_check limit 20'),
    );
    return [
      ...damage.map((row) => row.integrity_check).filter((text) => text !== 'ok'),
      ...orphans.map(({ table, parent }) => `rows of ${table} refer to rows of ${parent} that do not exist`),
    ];
  }

  async discardDeleted(): Promise<void> {
    await this.#queue.whenAtRest(() => this.#writer.execute('PRAGMA wal_checkpoint(TRUNCATE)'));
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.whenAtRest(() => {
      this.#reader.close();
      this.#writer.close();
      markClosed(this.#file);
    });
  }

  /**
   * Runs one query outside any transaction: a reading one at once, a writing one in its own transaction. Between
   * transactions the writing connection sees committed rows only, and has the changed pages in memory already.
   */
  async #single<Result>(
    query: AnyQuery,
    params: unknown,
    run: (session: SqliteSession, call: PreparedCall) => Result,
  ): Promise<Result> {
    refuseInTransaction('a query of the database itself');
    try {
      const session = this.#queue.busy ? this.#reader : this.#writer;
      const call = session.prepare(query, params);
      if (call.prepared.readonly) return run(session, call);
    } catch (error) {
      throw this.#notice(error);
    }
    return this.transact(async () => run(this.#writer, this.#writer.prepare(query, params)));
  }

  /** Remembers a full disk or a damaged database, and returns the error as callers get it. */
  #notice(error: unknown): unknown {
    if (isDamage(error)) this.#damage ??= error;
    if (isDiskFull(error)) this.#full = error;
    return toAppError(error);
  }
}
