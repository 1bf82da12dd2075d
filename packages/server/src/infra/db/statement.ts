// Owns statements: queries built by Knex once for each dialect, then bound by name. Building a query with Knex costs
// several times what SQLite needs to run it, so nothing is built while a request waits.

import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Bindable, Dialect, DialectName } from './dialect.ts';

/** The parameters of a statement that has none. */
export type NoParams = Record<never, never>;

/** Stands for a parameter while a statement is built; it goes wherever Knex takes a value, and into `limitTo`. */
type Marker = Knex.Raw;

/** One marker for each parameter; an insertion takes them as they are when they are called like their columns. */
export type Markers<Params> = { readonly [Name in keyof Params]-?: Marker };

/** Builds the query of a statement; called once for each dialect, so it must not look at anything that changes. */
type StatementBuilder<Params> = (
  qb: Knex,
  p: Markers<Params>,
  dialect: Dialect,
) => Knex.QueryBuilder | Knex.Raw;

/** A query whose shape is fixed: parameters by name in, rows of one type out. Made by {@link defineStatement}. */
export interface Statement<Params, Row> {
  readonly build: StatementBuilder<Params>;
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

/**
 * Declares a statement. `p.name` stands for the parameter `name`:
 *
 *     const findKey = defineStatement<{ keyHash: string }, KeyRow>((qb, p) =>
 *       qb('api_keys').select('id', 'role').where('key_hash', p.keyHash));
 *
 * `insert(p)` inserts a row whose columns are the parameters, always the same ones. None may be optional: the first call
 * decides which there are.
 */
export function defineStatement<Params extends Record<keyof Params, unknown>, Row = never>(
  build: StatementBuilder<Params>,
): Statement<Params, Row> {
  return { build, compiled: {} };
}

/** Declares a statement by its SQL, in which `:name` is a parameter. What differs between the databases is the dialect's. */
export function defineSql<Params extends Record<keyof Params, unknown>, Row = never>(
  sql: string | ((dialect: Dialect) => string),
): Statement<Params, Row> {
  return defineStatement((qb, p, dialect) => {
    const text = (typeof sql === 'string' ? sql : sql(dialect)).replace(/\s+/g, ' ').trim();
    const markers: Marker[] = [];
    const replaced = text.replace(/(?<!:):(\w+)/g, (_, name: string) => {
      markers.push(p[name as keyof Params]);
      return '?';
    });
    return qb.raw(replaced, markers);
  });
}

/** What takes the columns that a table has at the moment; those of a subquery in parentheses are written there. */
const takesAllColumns = /\bselect (?:distinct )?\*(?! from \()|[\w`"]\.\*|\breturning \*/i;

/**
 * The statement's SQL for a dialect; built at its first use, for parameters of those names. Throws when it takes all columns
 * of a table: PostgreSQL would refuse it once a later release, beside which this one still runs, has added one.
 */
function compileStatement<Params, Row>(
  statement: Statement<Params, Row>,
  dialect: Dialect,
  params: unknown,
): CompiledQuery {
  const known = statement.compiled[dialect.name];
  if (known) return known;
  const markerOf = (parameter: string) =>
    dialect.builder.raw('?', [new ParameterSlot(parameter) as unknown as Knex.Value]);
  const names = Object.keys(params ?? {});
  const markers = Object.fromEntries(names.map((name) => [name, markerOf(name)])) as Markers<Params>;
  const { sql, bindings } = statement.build(dialect.builder, markers, dialect).toSQL().toNative();
  if (takesAllColumns.test(sql)) throw new TypeError(`a statement names its columns: ${sql}`);
  const compiled: CompiledQuery = {
    sql,
    slots: bindings as (Bindable | ParameterSlot)[],
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

/** Whether the query is a statement made by {@link defineStatement}. */
export function isStatement(query: unknown): query is Statement<never, unknown> {
  return typeof query === 'object' && query !== null && 'compiled' in query && 'build' in query;
}

/** The values for a query's placeholders, in order. Throws when a parameter is missing: never binds undefined. */
export function bindValues({ sql, slots }: CompiledQuery, params: unknown, dialect: Dialect): unknown[] {
  const named = params as Readonly<Record<string, Bindable>> | undefined;
  return slots.map((slot, index) => {
    const value = slot instanceof ParameterSlot ? named?.[slot.parameter] : slot;
    if (value !== undefined) return dialect.toDriver(value);
    const what = slot instanceof ParameterSlot ? `parameter "${slot.parameter}"` : `value ${index + 1}`;
    throw new TypeError(`the query lacks its ${what}: ${sql}`);
  });
}
