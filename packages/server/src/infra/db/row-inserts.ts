// Inserts any number of rows by a few statements: one for each of some sizes, so that each is built and prepared once.

import type { Knex } from 'knex';
import type { Executor } from './database.ts';
import { defineStatement, type Markers, type Statement } from './statement.ts';

type Value = string | number | null | Uint8Array;

/**
 * Rows that one statement may take: any number is made of few. SQLite's limit of parameters leaves room for as many as 500
 * columns at 64.
 */
const sizes = [64, 32, 16, 8, 4, 2, 1] as const;

/** Inserts rows; they are stored at the latest with the commit of the executor's transaction. */
type InsertRows<Row> = (executor: Executor, rows: readonly Row[]) => void;

/** Declares the insertion of rows. `finish` adds to the query, such as what to do on a conflict. */
export function defineInserts<Column extends string>(
  table: string,
  columns: readonly Column[],
  finish: (query: Knex.QueryBuilder, qb: Knex) => Knex.QueryBuilder = (query) => query,
): InsertRows<Readonly<Record<Column, Value>>> {
  const names = Array.from({ length: sizes[0] }, (_, row) =>
    columns.map((column) => ({ column, name: `${column}_${row}` })),
  );
  const statements = sizes.map((size) => ({ size, statement: insertOf(size) }));

  function insertOf(size: number): Statement<Record<string, Value>, never> {
    return defineStatement((qb, p: Markers<Record<string, Value>>) =>
      finish(
        qb(table).insert(
          names
            .slice(0, size)
            .map((row) => Object.fromEntries(row.map(({ column, name }) => [column, p[name]]))),
        ),
        qb,
      ),
    );
  }

  function paramsOf(rows: readonly Readonly<Record<Column, Value>>[]): Record<string, Value> {
    const params: Record<string, Value> = {};
    rows.forEach((row, index) => {
      for (const { column, name } of names[index] ?? []) params[name] = row[column];
    });
    return params;
  }

  return (executor, rows) => {
    let at = 0;
    for (const { size, statement } of statements) {
      for (; at + size <= rows.length; at += size)
        executor.write(statement, paramsOf(rows.slice(at, at + size)));
    }
  };
}
