// Walks over two environments and makes the entries of a section.

import type { SectionName } from '@envsnap/shared/address';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import type { Entry } from './model.ts';

/** A section's rules for an entry. `equal`: whether two values are the same; default: whether their texts are. */
type EntryPart = Partial<Omit<Entry, 'section' | 'key' | 'status' | 'a' | 'b'>> & {
  readonly equal?: boolean;
};

/** Walks over all names that either side has, sorted. `read` returns a side's value: null if it has none, undefined if
 * it cannot be known, which is not a difference. `named` returns the object with a side's names; default: the side. */
export function walk<Values extends object>(
  section: SectionName,
  [a, b]: readonly [Values, Values],
  read: (values: Values, name: string) => string | null | undefined,
  describe: (name: string, a: string | null, b: string | null) => EntryPart,
  named: (values: Values) => object = (values) => values,
): Entry[] {
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(named(a)), sortedKeys(named(b)), (key) => {
    const [valueA, valueB] = [read(a, key), read(b, key)];
    if (valueA === undefined || valueB === undefined) return;
    const { equal = valueA === valueB, ...part } = describe(key, valueA, valueB);
    const status = statusOf(valueA !== null, valueB !== null, equal);
    entries.push({ section, key, status, a: valueA, b: valueB, distance: null, ...part });
  });
  return entries;
}

export function own<Value>(values: Readonly<Record<string, Value>>, name: string): Value | null {
  return Object.hasOwn(values, name) ? (values[name] as Value) : null;
}
