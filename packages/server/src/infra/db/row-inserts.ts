// Inserts any number of rows by a few statements: one for each of some sizes, so that each is built and prepared once.

import type { Executor } from './database.ts';
import { defineSql } from './statement.ts';

type Value = string | number | null | Uint8Array;

/** Rows that one statement may take. SQLite's limit of parameters leaves room for 500 columns at 64. */
const sizes = [64, 32, 16, 8, 4, 2, 1] as const;

/** Inserts rows; they are stored at the latest with the commit of the executor's transaction. */
type InsertRows<Row> = (executor: Executor, rows: readonly Row[]) => void;

/** Declares the insertion of rows. `end` follows, such as what to do on a conflict. */
export function defineInserts<Column extends string>(
  table: string,
  columns: readonly Column[],
  end = '',
): InsertRows<Readonly<Record<Column, Value>>> {
  const statements = sizes.map((size) => {
    const rows = Array.from(
      { length: size },
      (_, row) => `(${columns.map((column) => `:${column}_${row}`).join(', ')})`,
    );
    const sql = `insert into ${table} (${columns.join(', ')}) values ${rows.join(', ')} ${end}`;
    return { size, statement: defineSql<Record<string, Value>>(sql) };
  });

  function paramsOf(rows: readonly Readonly<Record<Column, Value>>[]): Record<string, Value> {
    return Object.fromEntries(
      rows.flatMap((row, index) => columns.map((column) => [`${column}_${index}`, row[column]])),
    );
  }

  return (executor, rows) => {
    let at = 0;
    for (const { size, statement } of statements) {
      for (; at + size <= rows.length; at += size)
        executor.write(statement, paramsOf(rows.slice(at, at + size)));
    }
  };
}
