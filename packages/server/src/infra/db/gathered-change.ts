// Owns changes that a database may make for many calls in one statement, each call all or nothing. The calls come as rows of
// a table `given`; one that the statement passes over is left to an ordinary transaction, which decides as it always did.

import type { Knex } from 'knex';
import type { Bindable, Dialect } from './dialect.ts';
import { defineStatement, type Markers, type Statement } from './statement.ts';

type ColumnType = 'uuid' | 'text' | 'bigint' | 'integer' | 'bytea' | 'boolean';

/** One call's values, by the names of the columns of `given`. */
export type ChangeParams = Readonly<Record<string, Bindable>>;

/** A row of the statement: what it says of a call, counted from 1 in this statement. */
export type GatheredRow = Readonly<Record<string, unknown>> & { readonly call_number: number };

type GatheredStatement = Statement<readonly Bindable[], GatheredRow>;

/** A change for many calls; made by {@link defineGatheredChange}. */
export interface GatheredChange<Params, Row> {
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Calls with the same value here never share a statement: what one changes, the next one has to see. */
  readonly apart: keyof Params & string;
  readonly statements: ReadonlyMap<number, GatheredStatement>;
  /** Types only. */
  readonly types?: { params: (params: Params) => void; row: Row };
}

/** Any change, whatever its parameters and rows are. */
export type AnyGatheredChange = GatheredChange<never, unknown>;

/** Calls of one statement: there is one for each of these numbers, so that each is built and prepared once. */
const sizes = [1, 2, 4, 8, 16] as const;
/** Most calls of one statement. */
export const mostCalls = sizes[sizes.length - 1] as number;

/**
 * Declares a change. `build` returns what follows the table `given (call_number, …)` in the list of common tables, and a
 * query with a row for each call that it has something to say of, `call_number` among its columns.
 */
export function defineGatheredChange<Params, Row>(
  columns: { readonly [Name in keyof Params]-?: ColumnType },
  apart: keyof Params & string,
  build: (qb: Knex, dialect: Dialect) => Knex.Raw,
): GatheredChange<Params, Row> {
  const entries = Object.entries<ColumnType>(columns as Record<string, ColumnType>);
  return {
    columns: entries,
    apart,
    statements: new Map(sizes.map((size) => [size, defineSize(entries, size, build)])),
  };
}

function defineSize(
  columns: AnyGatheredChange['columns'],
  size: number,
  build: (qb: Knex, dialect: Dialect) => Knex.Raw,
): GatheredStatement {
  return defineStatement((qb, p: Markers<Record<number, Bindable>>, dialect) => {
    const names = columns.map(([name]) => name).join(', ');
    const values = columns.map(([, type]) => `?::${type}`).join(', ');
    const rows = Array.from({ length: size }, (_, index) => `(${index + 1}, ${values})`).join(', ');
    const markers = Array.from({ length: size * columns.length }, (_, place) => p[place]);
    return qb.raw(`with given (call_number, ${names}) as (values ${rows}), ?`, [
      ...markers,
      build(qb, dialect),
    ] as never);
  });
}

/** The statement for so many calls, at most {@link mostCalls}, and its parameters; rows that no call fills are null. */
export function gatherCalls(
  { columns, statements }: AnyGatheredChange,
  calls: readonly ChangeParams[],
): { statement: GatheredStatement; params: readonly Bindable[] } {
  const size = sizes.find((one) => one >= calls.length) ?? mostCalls;
  // Named by their places: an object with hundreds of names takes longer to make than all else that is sent.
  const params: Bindable[] = [];
  for (let index = 0; index < size; index += 1) {
    const call = calls[index];
    for (const [name] of columns) params.push(call ? (call[name] as Bindable) : null);
  }
  return { statement: statements.get(size) as GatheredStatement, params };
}
