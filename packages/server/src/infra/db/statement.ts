// Owns statements: SQL that is built once for each dialect, then bound by name.

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Bindable, Dialect, DialectName } from './dialect.ts';

/** The parameters of a statement that has none. */
export type NoParams = Record<never, never>;

/** A query whose shape is fixed: parameters by name in, rows of one type out. */
export interface Statement<Params, Row> {
  /** Its SQL, in which `:name` is a parameter; called once for each dialect, so it must not look at anything that changes. */
  readonly sqlFor: (dialect: Dialect, parameters: readonly string[]) => string;
  readonly compiled: { [Name in DialectName]?: CompiledQuery };
  /** Types only: keeps statements with different parameters or rows apart. */
  readonly types?: { params: (params: Params) => void; row: Row };
}

/** A query whose shape varies (optional filters): built and compiled for each call. */
export type AdHocQuery = Knex.QueryBuilder | Knex.Raw;

/** A statement or an ad-hoc query, whatever its parameters and rows are. */
export type AnyQuery = Statement<never, unknown> | AdHocQuery;

/** SQL for one dialect with what fills its placeholders, in order. */
export interface CompiledQuery {
  readonly sql: string;
  readonly slots: readonly (ParameterSlot | Bindable)[];
  /** Name of the server-side prepared statement; ad-hoc queries have none. */
  readonly name: string | undefined;
}

class ParameterSlot {
  readonly parameter: string;

  constructor(parameter: string) {
    this.parameter = parameter;
  }
}

/** Declares a statement by its SQL, in which `:name` is a parameter. The dialect provides what differs between the databases. */
export function defineSql<Params extends Record<keyof Params, unknown>, Row = never>(
  sql: string | ((dialect: Dialect) => string),
): Statement<Params, Row> {
  return { sqlFor: typeof sql === 'string' ? () => sql : sql, compiled: {} };
}

/**
 * Declares the insertion of a row. Its columns are the computed ones and the parameters, none of which may be optional, because
 * the first call fixes them. `end` follows, such as a conflict clause.
 */
export function defineInsert<Row extends Record<keyof Row, unknown>>(
  table: string,
  { computed, end = '' }: { computed?: (dialect: Dialect) => Record<string, string>; end?: string } = {},
): Statement<Row, never> {
  return {
    sqlFor(dialect, parameters) {
      const values = new Map(parameters.map((name) => [name, `:${name}`]));
      for (const [column, sql] of Object.entries(computed?.(dialect) ?? {})) values.set(column, sql);
      return `insert into ${table} (${[...values.keys()].join(', ')}) values (${[...values.values()].join(', ')}) ${end}`;
    },
    compiled: {},
  };
}

/** Matches `*`, which would return the table's present columns, unless it selects from a subquery in parentheses. */
const takesAllColumns = /\bselect (?:distinct )?\*(?! from \()|[\w`"]\.\*|\breturning \*/i;

/**
 * The statement's SQL for a dialect; built at its first use, for parameters of those names. Throws if it selects all columns of a
 * table: PostgreSQL would refuse it once a later release, running beside this one, has added a column.
 */
function compileStatement<Params, Row>(
  statement: Statement<Params, Row>,
  dialect: Dialect,
  params: unknown,
): CompiledQuery {
  const known = statement.compiled[dialect.name];
  if (known) return known;
  const slots: ParameterSlot[] = [];
  const text = statement
    .sqlFor(dialect, Object.keys(params ?? {}))
    .replace(/\s+/g, ' ')
    .trim();
  const sql = text.replace(/(?<!:):(\w+)/g, (_, name: string) => {
    slots.push(new ParameterSlot(name));
    return dialect.placeholder(slots.length);
  });
  if (takesAllColumns.test(sql)) throw new TypeError(`a statement must name its columns: ${sql}`);
  const compiled: CompiledQuery = {
    sql,
    slots,
    name: `envsnap_${createHash('sha256').update(sql).digest('hex').slice(0, 24)}`,
  };
  statement.compiled[dialect.name] = compiled;
  return compiled;
}

/** The SQL of a query for a dialect; an ad-hoc one has its values in place. */
export function compile(query: AnyQuery, dialect: Dialect, params: unknown): CompiledQuery {
  if (isStatement(query)) return compileStatement(query, dialect, params);
  const { sql, bindings } = (query as AdHocQuery).toSQL().toNative();
  return { sql, slots: bindings as Bindable[], name: undefined };
}

export function isStatement(query: unknown): query is Statement<never, unknown> {
  return typeof query === 'object' && query !== null && 'compiled' in query && 'sqlFor' in query;
}

/** The values for a query's placeholders, in order. Throws if a parameter is missing: never binds undefined. */
export function bindValues({ sql, slots }: CompiledQuery, params: unknown, dialect: Dialect): unknown[] {
  const named = params as Readonly<Record<string, Bindable>> | undefined;
  return slots.map((slot, index) => {
    const value = slot instanceof ParameterSlot ? named?.[slot.parameter] : slot;
    if (value !== undefined) return dialect.toDriver(value);
    const subject = slot instanceof ParameterSlot ? `parameter "${slot.parameter}"` : `value ${index + 1}`;
    throw new TypeError(`the query lacks its ${subject}: ${sql}`);
  });
}
