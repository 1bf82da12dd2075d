// Owns every difference between SQLite's and PostgreSQL's SQL. Nothing outside infra/db asks which database it is.

import knex, { type Knex } from 'knex';
import { isDiskFull } from './sqlite-errors.ts';

/** The two databases that the server runs on. */
export type DialectName = 'sqlite' | 'postgresql';

/** A value that a query can carry. A list of strings is for {@link Dialect.anyOf} only. */
export type Bindable = string | number | boolean | null | Uint8Array | readonly string[];

/** What differs between the databases, as building blocks for queries. */
export interface Dialect {
  readonly name: DialectName;
  /** A Knex instance without a connection: it builds queries, the executor runs them. */
  readonly builder: Knex;
  /** SQL for the database's clock at this very moment (not the transaction's start): milliseconds since the epoch. */
  nowMs(): Knex.Raw;
  /**
   * Locks the selected rows until the transaction ends. SQLite needs nothing: a writing transaction already
   * excludes every other.
   */
  lockRows(query: Knex.QueryBuilder): Knex.QueryBuilder;
  /**
   * The end of a query that locks rows of a table until the transaction ends. `deletion` and `change` keep others from
   * deleting or changing a row and share it with their like; `everything` (the default) shares it with nobody.
   */
  lock(table: string, against?: 'deletion' | 'change' | 'everything'): string;
  /** The same, but passes over rows that another transaction has locked: for claiming work. */
  lockFree(table: string): string;
  /**
   * SQL that takes a lock by its name until the transaction ends, without waiting: true when this transaction has it.
   * SQLite needs none: a writing transaction already excludes every other.
   */
  tryLock(name: string): string;
  /** A condition that is always true, and lets the statement's own transaction commit with durability `process`. */
  forgettable(): string;
  /** SQL that is true when `column` equals one of the strings in the list bound to the parameter `list`. */
  anyOf(column: string, list: string): string;
  /**
   * A column to compare where rows are found by their ids: SQLite would take an index of this column, and read all rows of a
   * project for a few.
   */
  unindexed(column: string): string;
  /** SQL for the rows of a group as the text of one JSON array, each an array of these columns (`a, b`). */
  rowsAsJson(columns: string): string;
  /** SQL that orders by a text column in the same way on every database, whatever its language: by bytes. */
  bytewise(column: string): string;
  /** SQL for a text column as its bytes, from a driver that need not decode a text to give them. */
  bytesOf(column: string): string;
  /** SQL that is true when a table of that name exists. */
  tableExists(table: Knex.Raw | string): Knex.Raw;
  /** Statements that prepare a table for rows that change in place all the time. */
  tuneForUpdates(table: string): readonly string[];
  /** A value as the driver wants it. */
  toDriver(value: Bindable): unknown;
  /** Whether the error says that a unique constraint refused a row. */
  isUniqueViolation(error: unknown): boolean;
  /** Whether the error says that an embedded database has no room for a change. */
  isDiskFull(error: unknown): boolean;
  /** Whether the error says that a foreign key refused a row (its project is gone). */
  isForeignKeyViolation(error: unknown): boolean;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

declare module 'knex' {
  namespace Knex {
    interface QueryInterface<TRecord, TResult> {
      /** `limit` and `offset` for parameters: Knex's own take plain numbers. */
      limitTo(limit: Knex.Raw, offset?: Knex.Raw): QueryBuilder<TRecord, TResult>;
    }
  }
}

knex.QueryBuilder.extend('limitTo', function limitTo(limit: Knex.Raw, offset?: Knex.Raw) {
  this.limit(1);
  // Here Knex keeps the number; what compiles it takes what any clause may hold.
  (this as unknown as { readonly _single: { limit: Knex.Raw } })._single.limit = limit;
  return offset ? this.offset(offset as never) : this;
});

const sqliteBuilder = withDeleteReturning(knex({ client: 'better-sqlite3', useNullAsDefault: true }));
const postgresBuilder = knex({ client: 'pg' });

/** The part of Knex's compiler that {@link withDeleteReturning} completes. */
interface DeleteCompiler {
  readonly single: { readonly returning?: string | string[] };
  del(): string;
  _returning(columns: string | string[]): string;
}

/** Knex 3 leaves `returning` out of a DELETE for SQLite, which has it since 3.35. */
function withDeleteReturning(builder: Knex): Knex {
  const client: { queryCompiler(...args: unknown[]): DeleteCompiler } = builder.client;
  const createCompiler = client.queryCompiler;
  client.queryCompiler = function queryCompiler(...args) {
    const compiler = createCompiler.apply(this, args);
    const compileDelete = compiler.del;
    compiler.del = function del() {
      const { returning } = this.single;
      return compileDelete.call(this) + (returning ? this._returning(returning) : '');
    };
    return compiler;
  };
  return builder;
}

/** SQL of SQLite 3.45 or newer. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  builder: sqliteBuilder,
  nowMs: () => sqliteBuilder.raw("cast(round(unixepoch('subsec') * 1000) as integer)"),
  lockRows: (query) => query,
  lock: () => '',
  lockFree: () => '',
  forgettable: () => '1 = 1',
  tryLock: (name) => `:${name} is not null`,
  anyOf: (column, list) => `${column} in (select value from json_each(:${list}))`,
  unindexed: (column) => `+${column}`,
  rowsAsJson: (columns) => `json_group_array(json_array(${columns}))`,
  bytewise: (column) => column,
  bytesOf: (column) => `cast(${column} as blob) as ${column}`,
  tableExists: (table) =>
    sqliteBuilder.raw("exists (select 1 from sqlite_master where type = 'table' and name = ?)", [table]),
  tuneForUpdates: () => [],
  toDriver: (value) => {
    if (typeof value === 'boolean') return value ? 1 : 0;
    return Array.isArray(value) ? JSON.stringify(value) : value;
  },
  isUniqueViolation: (error) =>
    ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY'].includes(errorCode(error)),
  isDiskFull,
  isForeignKeyViolation: (error) => errorCode(error) === 'SQLITE_CONSTRAINT_FOREIGNKEY',
};

const postgresStrengths = { deletion: 'key share', change: 'share', everything: 'update' } as const;

/** SQL of PostgreSQL 14 or newer. */
export const postgresDialect: Dialect = {
  name: 'postgresql',
  builder: postgresBuilder,
  nowMs: () => postgresBuilder.raw('floor(extract(epoch from clock_timestamp()) * 1000)::bigint'),
  lockRows: (query) => query.forUpdate(),
  lock: (table, against = 'everything') => `for ${postgresStrengths[against]} of "${table}"`,
  lockFree: (table) => `for update of "${table}" skip locked`,
  forgettable: () => "(select set_config('synchronous_commit', 'off', true)) is not null",
  tryLock: (name) => `pg_try_advisory_xact_lock(hashtextextended(:${name}, 0))`,
  anyOf: (column, list) => `${column} = any(:${list})`,
  unindexed: (column) => column,
  rowsAsJson: (columns) => `json_agg(json_build_array(${columns}))::text`,
  bytewise: (column) => `${column} collate "C"`,
  bytesOf: (column) => column,
  tableExists: (table) => postgresBuilder.raw('to_regclass(?) is not null', [table]),
  // Free room in each page lets an update stay on its page and leave the indexes alone.
  tuneForUpdates: (table) => [`alter table "${table}" set (fillfactor = 50)`],
  toDriver: (value) => value,
  isUniqueViolation: (error) => errorCode(error) === '23505',
  isDiskFull: () => false,
  isForeignKeyViolation: (error) => errorCode(error) === '23503',
};
