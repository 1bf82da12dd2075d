// Owns every difference between SQLite's and PostgreSQL's SQL. Nothing outside infra/db asks which database it is.

import knex, { type Knex } from 'knex';
import { isDiskFull } from './sqlite-errors.ts';

export type DialectName = 'sqlite' | 'postgresql';

/** A value that a query can carry. A list of strings is for {@link Dialect.anyOf} only. */
export type Bindable = string | number | boolean | null | Uint8Array | readonly string[];

/** The differences between the databases, as pieces of SQL. SQLite needs no locks: a writing transaction excludes all others. */
export interface Dialect {
  readonly name: DialectName;
  /** Whether statements run on the thread of this process. Work that reads many rows then goes in slices. */
  readonly isEmbedded: boolean;
  /** A Knex instance without a connection: it builds queries whose shape varies, the executor runs them. */
  readonly builder: Knex;
  /** The placeholder for the value of that number, from 1. */
  placeholder(number: number): string;
  /** The database's clock at this very moment (not the transaction's start): milliseconds since the epoch. */
  nowMs(): string;
  /**
   * The end of a query that locks rows of a table until the transaction ends. `deletion` and `change` keep others from deleting
   * or changing a row and can share the lock with others of the same kind; `everything` (the default) shares it with nobody.
   */
  lock(table: string, against?: 'deletion' | 'change' | 'everything'): string;
  /** The same, but skips rows that another transaction has locked, for claiming work. */
  lockFree(table: string): string;
  /** Takes a lock by its name until the transaction ends, without waiting: true if this transaction has it. */
  tryLock(name: string): string;
  /** A condition that is always true, and lets the statement's own transaction commit with durability `process`. */
  forgettable(): string;
  /** True when `column` equals one of the strings in the list bound to the parameter `list`. */
  anyOf(column: string, list: string): string;
  /** A column to compare in lookups by id, written so that SQLite does not use an index on it. */
  unindexed(column: string): string;
  /** The rows of a group as the text of one JSON array, each an array of these columns (`a, b`). */
  rowsAsJson(columns: string): string;
  /** Orders by a text column in the same way on every database, whatever its language: by bytes. */
  bytewise(column: string): string;
  /** A text column as bytes, so that the driver need not decode it. */
  bytesOf(column: string): string;
  /** True when the table exists. */
  tableExists(table: string): string;
  /** Statements that prepare a table for rows that change in place all the time. */
  tuneForUpdates(table: string): readonly string[];
  /** Converts a value to the form that the driver takes. */
  toDriver(value: Bindable): unknown;
  isUniqueViolation(error: unknown): boolean;
  /** Whether an embedded database has no room for a change. */
  isDiskFull(error: unknown): boolean;
  /** Whether a foreign key refused a row (its project is gone). */
  isForeignKeyViolation(error: unknown): boolean;
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** SQL of SQLite 3.45 or newer. */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  isEmbedded: true,
  builder: knex({ client: 'better-sqlite3', useNullAsDefault: true }),
  placeholder: () => '?',
  nowMs: () => "cast(round(unixepoch('subsec') * 1000) as integer)",
  lock: () => '',
  lockFree: () => '',
  forgettable: () => '1 = 1',
  tryLock: (name) => `:${name} is not null`,
  anyOf: (column, list) => `${column} in (select value from json_each(:${list}))`,
  unindexed: (column) => `+${column}`,
  rowsAsJson: (columns) => `json_group_array(json_array(${columns}))`,
  bytewise: (column) => column,
  bytesOf: (column) => `cast(${column} as blob) as ${column}`,
  tableExists: (table) => `exists (select 1 from sqlite_master where type = 'table' and name = '${table}')`,
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
  isEmbedded: false,
  builder: knex({ client: 'pg' }),
  placeholder: (number) => `$${number}`,
  nowMs: () => 'floor(extract(epoch from clock_timestamp()) * 1000)::bigint',
  lock: (table, against = 'everything') => `for ${postgresStrengths[against]} of "${table}"`,
  lockFree: (table) => `for update of "${table}" skip locked`,
  forgettable: () => "(select set_config('synchronous_commit', 'off', true)) is not null",
  tryLock: (name) => `pg_try_advisory_xact_lock(hashtextextended(:${name}, 0))`,
  anyOf: (column, list) => `${column} = any(:${list})`,
  unindexed: (column) => column,
  rowsAsJson: (columns) => `json_agg(json_build_array(${columns}))::text`,
  bytewise: (column) => `${column} collate "C"`,
  bytesOf: (column) => column,
  tableExists: (table) => `to_regclass('${table}') is not null`,
  // Free room in each page lets an update stay on its page and leave the indexes alone.
  tuneForUpdates: (table) => [`alter table "${table}" set (fillfactor = 50)`],
  toDriver: (value) => value,
  isUniqueViolation: (error) => errorCode(error) === '23505',
  isDiskFull: () => false,
  isForeignKeyViolation: (error) => errorCode(error) === '23503',
};
