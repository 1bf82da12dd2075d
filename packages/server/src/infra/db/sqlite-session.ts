// Owns one SQLite connection's prepared statements: finds them, binds them, runs them, and maps their rows.

import type { Database as Connection, Statement as NativeStatement } from 'better-sqlite3';
import { sqliteDialect } from './dialect.ts';
import { type AnyQuery, bindValues, type CompiledQuery, compile, isStatement } from './statement.ts';

export interface PreparedCall {
  readonly prepared: PreparedQuery;
  readonly values: unknown[];
}

interface PreparedQuery {
  readonly native: NativeStatement<unknown[], Record<string, unknown>>;
  readonly compiled: CompiledQuery;
  readonly readonly: boolean;
  /** Returned columns that are declared boolean; SQLite stores those as 0 and 1. */
  readonly booleans: readonly string[];
}

/** One connection with its statement cache. Everything here is synchronous, as the driver is. */
export class SqliteSession {
  readonly #connection: Connection;
  readonly #statements = new Map<AnyQuery, PreparedQuery>();
  readonly #controls = new Map<string, NativeStatement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction;
  }

  prepare(query: AnyQuery, params: unknown): PreparedCall {
    let prepared = this.#statements.get(query);
    if (!prepared) {
      prepared = this.#prepareSql(compile(query, sqliteDialect, params));
      if (isStatement(query)) this.#statements.set(query, prepared);
    }
    return { prepared, values: bindValues(prepared.compiled, params, sqliteDialect) };
  }

  all({ prepared, values }: PreparedCall): Record<string, unknown>[] {
    const rows = prepared.native.all(values);
    if (prepared.booleans.length > 0) for (const row of rows) restoreBooleans(row, prepared.booleans);
    return rows;
  }

  get({ prepared, values }: PreparedCall): Record<string, unknown> | undefined {
    const row = prepared.native.get(values);
    if (row && prepared.booleans.length > 0) restoreBooleans(row, prepared.booleans);
    return row;
  }

  run({ prepared, values }: PreparedCall): number {
    return prepared.native.reader ? prepared.native.all(values).length : prepared.native.run(values).changes;
  }

  /** Runs one of the few statements that begin and end transactions. */
  control(sql: string): void {
    let native = this.#controls.get(sql);
    if (!native) {
      native = this.#connection.prepare(sql);
      this.#controls.set(sql, native);
    }
    native.run();
  }

  /** Runs SQL without parameters or result; for settings, which SQLite applies while it parses. */
  execute(sql: string): void {
    this.#connection.exec(sql);
  }

  close(): void {
    this.#connection.close();
  }

  #prepareSql(compiled: CompiledQuery): PreparedQuery {
    const native = this.#connection.prepare<unknown[], Record<string, unknown>>(planOnce(compiled.sql));
    const columns = native.reader ? native.columns() : [];
    return {
      native,
      compiled,
      readonly: native.readonly,
      booleans: columns.filter(({ type }) => type?.toLowerCase() === 'boolean').map(({ name }) => name),
    };
  }
}

/** Matches text, quoted names and placeholders of a query. */
const tokenPattern = /'[^']*'|"[^"]*"|`[^`]*`|\?/g;

/**
 * Makes each placeholder `?` an expression `+?` of the same value. If it can, SQLite chooses a query's plan by the values of
 * bare placeholders. It would then plan a join or an ordered list again for each call, at ten times the cost of running it.
 */
function planOnce(sql: string): string {
  return sql.replace(tokenPattern, (token) => (token === '?' ? '+?' : token));
}

function restoreBooleans(row: Record<string, unknown>, columns: readonly string[]): void {
  for (const column of columns) if (typeof row[column] === 'number') row[column] = row[column] !== 0;
}
