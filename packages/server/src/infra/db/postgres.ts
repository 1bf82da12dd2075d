// Owns the PostgreSQL driver: the pool, transactions with their retries, and the lock around migrations.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { AppError, StartupError } from '../app-error.ts';
import type { Database, Executor, MigrationSession, PoolUsage, TransactOptions } from './database.ts';
import { postgresDialect } from './dialect.ts';
import { createConnect } from './postgres-connect.ts';
import { nameServer, tooFewConnections } from './postgres-connections.ts';
import {
  isConnectionFailure,
  isDiskFull,
  isNotAllowed,
  isRetryable,
  refuseReadOnly,
  toDatabaseError,
} from './postgres-errors.ts';
import { examineServer, type Pooler } from './postgres-pooler.ts';
import {
  ConnectionExecutor,
  PostgresQueries,
  sendQuery,
  setTerms,
  transactOn,
} from './postgres-transaction.ts';
import type { AnyQuery } from './statement.ts';
import { refuseInTransaction } from './transaction-scope.ts';

export interface PostgresOptions {
  url: string;
  /** Maximum number of connections at the same time, besides the few for migrations, backups and retention; default 10. */
  poolSize?: number;
  /** Called when an idle connection breaks, which the pool replaces, and when PostgreSQL has too few for the servers. */
  onWarning?: (details: object, message: string) => void;
}

const defaultPoolSize = 10;
const connectTimeoutMs = 5000;
/** How long a result from the database counts as proof that it can be reached, in milliseconds. */
const recentMs = 1000;
/** Time limits of PostgreSQL for every connection of the pool, in milliseconds. */
const timeLimits = { statement_timeout: 15_000, idle_in_transaction_session_timeout: 15_000 };
/** Counting 200,000 snapshots takes three times as long with two parallel workers, because they have to start. */
const parallelWorkers = 'max_parallel_workers_per_gather';
const limits = { ...timeLimits, options: `-c ${parallelWorkers}=0` };
/** Longer than the server's limit, so the client gives up only if the server no longer responds. */
const answerTimeoutMs = 20_000;
const maxAttempts = 5;
const retryBaseMs = 10;
const migrationLockTimeoutMs = 60_000;
/** Key of the advisory lock around migrations: "envsnap" in ASCII, read as a number. */
const migrationLockKey = '28548172264399216';
const oldestServerVersion = 140_000;
/** Takes as much of the disk as a request may need, for as long as the statement runs. */
const writeOneMebibyte =
  "CREATE TEMPORARY TABLE envsnap_room ON COMMIT DROP AS SELECT repeat('x', 1000) AS filler FROM generate_series(1, 1024)";
/** Behind a pooler, which takes no settings for a connection, each transaction sets them for itself. */
const limitsOfTransaction = Object.entries({ ...timeLimits, [parallelWorkers]: 0 })
  .map(([name, value]) => `SET LOCAL ${name} = ${value};`)
  .join(' ');

/** 64-bit integers, and sums of them, come as text by default; all of ours fit a number. */
const numberTypes = new Set<number>([pg.types.builtins.INT8, pg.types.builtins.NUMERIC]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    numberTypes.has(oid)
      ? Number
      : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
};

/** Connects to PostgreSQL, directly or through a pooler. Errors: StartupError when it cannot be reached, refuses the login, or is too old. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  // The types of pg do not know `pipeline` yet.
  const config = {
    connectionString: withTermsOfPsql(options.url),
    application_name: options.poolSize ? nameServer(options.poolSize) : 'envsnap-server',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types,
    pipeline: true,
  } as pg.PoolConfig;
  try {
    const { version, pooler, budget } = await examineServer(config, limits).catch((error: unknown) => {
      if (!mayGoPlain(options.url, error)) throw error;
      config.connectionString = withParameters(options.url, { sslmode: 'disable' });
      return examineServer(config, limits);
    });
    if (version < oldestServerVersion) throw new Error('it is older than PostgreSQL 14');
    if (!pooler && budget.mayOpen > budget.left) options.onWarning?.({ ...budget }, tooFewConnections);
    return new PostgresDatabase(config, options, pooler);
  } catch (error) {
    throw new StartupError(`cannot use the database at ${describe(options.url)}: ${reasonOf(error)}`, {
      cause: error,
      isAway: toDatabaseError(error) instanceof AppError,
    });
  }
}

/** Reads `sslmode` as psql does: `require` encrypts and verifies nothing. The driver would verify everything. */
function withTermsOfPsql(url: string): string {
  const mode = sslModeOf(url);
  if (mode === undefined || mode === 'no-verify') return url;
  return withParameters(url, { uselibpqcompat: 'true', ...(mode === 'allow' && { sslmode: 'prefer' }) });
}

/** Whether psql goes on without encryption where the server has none. */
function mayGoPlain(url: string, error: unknown): boolean {
  const isRefusal = error instanceof Error && error.message.includes('does not support SSL');
  return isRefusal && ['prefer', 'allow'].includes(sslModeOf(url) ?? '');
}

function sslModeOf(url: string): string | undefined {
  return URL.canParse(url) ? (new URL(url).searchParams.get('sslmode') ?? undefined) : undefined;
}

function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const changed = new URL(url);
  for (const [name, value] of Object.entries(parameters)) changed.searchParams.set(name, value);
  return changed.href;
}

function describe(url: string): string {
  if (!URL.canParse(url)) return 'DATABASE_URL';
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  if (!(error instanceof Error)) return String(error);
  return error.message || String((error as NodeJS.ErrnoException).code);
}

class PostgresDatabase extends PostgresQueries implements Database {
  readonly #config: pg.PoolConfig;
  readonly #pooler: Pooler | undefined;
  readonly #pool: pg.Pool;
  readonly #connect: () => Promise<pg.PoolClient>;
  /** When the database last responded, by the process's timer. */
  #answeredMs = Number.NEGATIVE_INFINITY;
  readonly #running = new Set<Promise<unknown>>();
  #full = false;
  #closing: Promise<void> | undefined;

  constructor(
    config: pg.PoolConfig,
    { poolSize = defaultPoolSize, onWarning }: PostgresOptions,
    pooler: Pooler | undefined,
  ) {
    super();
    this.#config = config;
    this.#pooler = pooler;
    this.#pool = new pg.Pool({
      ...config,
      max: poolSize,
      idleTimeoutMillis: 30_000,
      query_timeout: answerTimeoutMs,
      ...(!pooler && limits),
    });
    // Without a listener, a connection that breaks while nothing runs on it ends the process.
    this.#pool.on('error', (err) => onWarning?.({ err }, 'a database connection was lost'));
    this.#pool.on('connect', (client) => {
      client.on('error', () => undefined);
      if (pooler) setTerms(client, { named: pooler.keepsStatements, settings: limitsOfTransaction });
    });
    this.#connect = createConnect(this.#pool);
  }

  write(): never {
    throw new Error('write() outside a transaction: use run()');
  }

  async transact<Result>(
    work: (executor: Executor) => Promise<Result>,
    { durability = 'power' }: TransactOptions = {},
  ): Promise<Result> {
    refuseInTransaction('transact()');
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await this.#withClient((client) => transactOn(client, work, durability));
      } catch (error) {
        if (!isRetryable(error) || attempts === maxAttempts) throw this.#noticed(error);
        await sleep(Math.random() * retryBaseMs * 2 ** attempts);
      }
    }
  }

  async migrating<Result>(work: (session: MigrationSession) => Promise<Result>): Promise<Result> {
    const { builder } = postgresDialect;
    return this.#withOwnClient((client) =>
      work({
        executor: new ConnectionExecutor(client),
        async transact(inner, { durability = 'power' } = {}) {
          const locked = async (executor: Executor) => {
            await executor.run(builder.raw(`set local lock_timeout = ${migrationLockTimeoutMs}`));
            await executor.run(builder.raw(`select pg_advisory_xact_lock(${migrationLockKey})`));
            // Reading any table makes the connection see tables that were created while it waited for the lock.
            await executor.run(builder.raw('select 1 from pg_namespace limit 1'));
            return inner(executor);
          };
          return transactOn(client, locked, durability);
        },
      }),
    );
  }

  async tryExclusively<Result>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    return this.#withOwnClient(async (client) => {
      // A transaction that only holds the lock; a session's lock would be left behind in a pooler. It must not hold a snapshot,
      // or vacuum would keep rows that are deleted in the meantime. So the lock is requested without parameters: a statement with
      // parameters keeps its portal, and the snapshot in it, until the transaction ends.
      await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
      const key = `hashtextextended(${client.escapeLiteral(name)}, 0)`;
      const { rows } = await client.query(`SELECT pg_try_advisory_xact_lock(${key}) AS locked`);
      const result = rows[0].locked ? await work() : undefined;
      await client.query('COMMIT').catch(() => undefined);
      return result;
    });
  }

  async frozen<Result>(work: (executor: Executor) => Promise<Result>): Promise<Result> {
    return this.#withOwnClient(async (client) => {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const result = await work(new ConnectionExecutor(client));
      await client.query('COMMIT');
      return result;
    });
  }

  poolUsage(): PoolUsage {
    const { totalCount: open, idleCount: idle, waitingCount: waiting } = this.#pool;
    return { max: this.#pool.options.max, open, idle, waiting };
  }

  /**
   * If every connection is busy, and at most one more may be opened, a result within the last second is enough, so the check does not
   * wait behind requests. Once the disk was full, this writes: nothing else shows whether there is room again.
   */
  async check(): Promise<void> {
    const { idleCount, totalCount, options } = this.#pool;
    const isBusy = idleCount === 0 && totalCount >= options.max - 1;
    if (isBusy && !this.#full && performance.now() - this.#answeredMs < recentMs) return;
    try {
      await this.#withClient(async (client) => {
        const { rows } = await client.query('SHOW transaction_read_only');
        refuseReadOnly(rows[0].transaction_read_only);
        if (!this.#full) return;
        await client.query(writeOneMebibyte).catch((error: unknown) => {
          if (isDiskFull(error)) throw error;
        });
        this.#full = false;
      });
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  async findDamage(): Promise<string[]> {
    return [];
  }

  /** Nothing to do: PostgreSQL's vacuum removes deleted rows. */
  async discardDeleted(): Promise<void> {}

  close(): Promise<void> {
    this.#closing ??= this.#whenIdle().then(async () => {
      await this.#pool.end();
    });
    return this.#closing;
  }

  async #whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
  }

  protected async query(query: AnyQuery, params: unknown): Promise<pg.QueryResult> {
    refuseInTransaction('a query of the database itself');
    try {
      return await this.#withClient((client) => sendQuery(client, query, params));
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  /** A connection outside the pool, without the pool's time limits, which is closed at the end. */
  async #withOwnClient<Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client(this.#config);
    client.on('error', () => undefined);
    if (this.#pooler) setTerms(client, { named: this.#pooler.keepsStatements, settings: '' });
    try {
      await client.connect();
      return await use(client);
    } catch (error) {
      throw this.#noticed(error);
    } finally {
      await client.end();
    }
  }

  /** Remembers a full disk, and returns the error as callers get it. */
  #noticed(error: unknown): unknown {
    if (isDiskFull(error)) this.#full = true;
    if (!isNotAllowed(error)) return toDatabaseError(error);
    const where = describe(this.#config.connectionString ?? '');
    return new StartupError(
      `the role in DATABASE_URL lacks rights that envsnap-server needs in ${where} (${reasonOf(error)}): ` +
        'make it the owner of the database, or grant it all rights on the schema public and its tables',
      { cause: error },
    );
  }

  #withClient<Result>(use: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const running = borrow(this.#connect, async (client) => {
      const result = await use(client);
      this.#answeredMs = performance.now();
      return result;
    });
    this.#running.add(running);
    const remove = () => this.#running.delete(running);
    running.then(remove, remove);
    return running;
  }
}

async function borrow<Result>(
  connect: () => Promise<pg.PoolClient>,
  use: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await connect();
  let broken = false;
  try {
    return await use(client);
  } catch (error) {
    broken = isConnectionFailure(error);
    throw error;
  } finally {
    client.release(broken);
  }
}
