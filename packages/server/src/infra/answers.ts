// Turns rows into the members of responses: names in camel case, times as timestamps.

import { toTimestamp } from './clock.ts';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** A row as responses show it. Columns that end with `_at` hold milliseconds since the epoch, or null. */
export type Answered<Row> = {
  [Name in keyof Row & string as Camel<Name>]: Name extends `${string}_at`
    ? string | Extract<Row[Name], null>
    : Row[Name];
};

export function toAnswer<Row extends object>(row: Row): Answered<Row> {
  const members = Object.entries(row).map(([name, value]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    name.endsWith('_at') && value !== null ? toTimestamp(value as number) : value,
  ]);
  return Object.fromEntries(members) as Answered<Row>;
}
