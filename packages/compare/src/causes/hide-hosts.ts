// What readers outside the project see of facts that name machines and networks: that they differ, and in how many items.

import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import { type Cause, placesOf } from './cause.ts';
import { causeText } from './cause-of-entry.ts';
import { sideNames } from './side-names.ts';

/** Gives a value of a fact without hosts; a fact that names none, and its default, as it is. */
export function hostHider(fact: string): <Value>(value: Value) => Value | string {
  const { namesHosts, unset } = factRow(fact) ?? {};
  return (value) => (namesHosts && value !== null && value !== unset ? '<address>' : value);
}

/** An entry without hosts. */
export function withoutHosts(entry: Entry): Entry {
  if (entry.section !== 'facts' || !factRow(entry.key)?.namesHosts) return entry;
  const hide = hostHider(entry.key);
  const { added, removed, moved } = entry.list ?? {};
  return {
    ...entry,
    a: hide(entry.a),
    b: hide(entry.b),
    ...(added &&
      removed &&
      moved && { list: { added: added.map(hide), removed: removed.map(hide), moved: moved.map(hide) } }),
  };
}

/** A cause without hosts: the sentences of its entries, alone or among others, are those of the entries without them. */
export function causeWithoutHosts(cause: Cause, { a, b, sections }: EnvironmentComparison): Cause {
  const keys = new Set(placesOf(cause).flatMap(({ section, key }) => (section === 'facts' ? [key] : [])));
  let { what, advice } = cause;
  for (const entry of sections.facts.filter(({ key }) => keys.has(key) && factRow(key)?.namesHosts)) {
    const names = sideNames({ a, b });
    const [whole, hidden] = [causeText(entry, names), causeText(withoutHosts(entry), names)];
    what = what.replaceAll(whole.what, () => hidden.what);
    advice = advice.replaceAll(whole.advice, () => hidden.advice);
  }
  return { ...cause, what, advice };
}
