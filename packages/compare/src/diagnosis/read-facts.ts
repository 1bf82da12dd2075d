// Reads the facts of a run into the table, by the kinds and defaults of the catalogue of facts.

import type { FactRow, FactValue } from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { factsOf, factValue } from '../model/metadata-facts.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import type { ValueOrder } from './model.ts';
import type { RunTable } from './run-table.ts';

/** Most entries of one list that are features of their own. */
const mostEntries = 200;

/** A list is a value, and each of its entries is a feature. The entries are known where the list is. */
export function addList(
  table: RunTable,
  space: number,
  key: string,
  index: number,
  entries: readonly string[],
  shown: boolean,
): void {
  table.set(index, entries.join('\n'));
  for (const entry of entries.slice(0, mostEntries)) {
    const part = table.feature(space, `${key}\n${entry}`, () => ({ key, entry, order: 'none', shown }));
    table.set(part, '');
  }
}

/** Adds `metadata.facts`. A fact that is not held stands for its default where it has one, else it is unknown. */
export function addFacts(table: RunTable, environment: ComparableEnvironment): void {
  const space = table.space('facts');
  table.setSpaceUnknown(space);
  const facts = factsOf(environment);
  const held = facts ?? {};
  for (const [name, row] of Object.entries<FactRow>(factCatalogue)) {
    addFact(table, space, name, row, facts && factValue(facts, name, environment.os));
  }
  // Facts of another version of the catalogue.
  for (const [name, value] of Object.entries(held)) {
    if (!Object.hasOwn(factCatalogue, name)) addFact(table, space, name, undefined, value);
  }
}

function addFact(
  table: RunTable,
  space: number,
  name: string,
  row: FactRow | undefined,
  value: FactValue | undefined,
): void {
  const key = `facts.${name}`;
  const isList = row?.kind === 'set' || row?.kind === 'list' || Array.isArray(value);
  const entries = isList ? table.space(`facts:${name}`) : undefined;
  if (entries !== undefined && value === undefined) table.setSpaceUnknown(entries);
  if (value === undefined) return;
  const index = table.feature(space, key, () => ({ key, order: orderOf(row, value), shown: true }));
  if (entries === undefined) table.set(index, String(value));
  // A default such as `none` is a list without entries.
  else addList(table, entries, key, index, Array.isArray(value) ? value.map(String) : [], true);
}

function orderOf(row: FactRow | undefined, value: FactValue): ValueOrder {
  const kind = row?.kind ?? (typeof value === 'number' ? 'number' : 'text');
  if (kind === 'number' || kind === 'limit') return 'numbers';
  return kind === 'version' ? { versionsOf: 'generic' } : 'none';
}
