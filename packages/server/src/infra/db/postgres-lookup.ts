// Builds the query that answers many calls of one look-up at once: what they ask for comes as one list a parameter.

import type { Bindable } from './dialect.ts';
import { defineStatement, type Lookup, type Statement } from './statement.ts';

/** A look-up, whatever its parameters and rows are. */
export type AnyLookup = Lookup<never, unknown>;

/** Parameters of one call. */
export type LookupParams = Readonly<Record<string, Bindable>>;

/** A row of the query for many calls: that of the look-up, and the call that it answers, counted from 1. */
export type NumberedRow = Record<string, unknown> & { call_number: number };

type Batch = Statement<Record<string, Bindable>, NumberedRow>;

const batches = new WeakMap<AnyLookup, Batch>();

/** The statement for many calls; {@link gatherParams} makes its parameters. */
export function batchOf(lookup: AnyLookup): Batch {
  let batch = batches.get(lookup);
  if (!batch) {
    batch = defineBatch(lookup);
    batches.set(lookup, batch);
  }
  return batch;
}

function defineBatch({ lookup, build }: AnyLookup): Batch {
  const types = Object.entries<string>(lookup);
  return defineStatement((qb, p, dialect) => {
    const ofCall = Object.fromEntries(types.map(([name]) => [name, qb.raw('??', [`calls.${name}`])]));
    const lists = types.map(([, type]) => `?::${type}[]`).join(', ');
    const names = types.map(() => '??').join(', ');
    // The limit, beside what it says, keeps the planner from joining whole tables with the lists.
    return qb.raw(
      `select found.*, calls.call_number from unnest(${lists}) with ordinality as calls(${names}, call_number) ` +
        'cross join lateral (? limit 1) as found',
      [
        ...types.map(([name]) => p[name]),
        ...types.map(([name]) => name),
        build(qb, ofCall as never, dialect),
      ] as never,
    );
  });
}

/** The parameters of many calls as lists. */
export function gatherParams(
  { lookup }: AnyLookup,
  calls: readonly { readonly params: LookupParams }[],
): Record<string, Bindable> {
  const lists: Record<string, Bindable> = {};
  for (const name of Object.keys(lookup)) lists[name] = calls.map(({ params }) => params[name] as string);
  return lists;
}
