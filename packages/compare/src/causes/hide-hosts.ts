// Hides names of machines and networks in facts, for readers outside the project.

import { factRow } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import type { Entry, EnvironmentComparison } from '../model/model.ts';
import type { Cause, Place } from './cause.ts';
import { causeWithTexts } from './causes.ts';

const namesHosts = ({ section, key }: Place) => section === 'facts' && factRow(key)?.namesHosts !== undefined;

/** A host after `//`, after the separator between a setting and its name, or as an IPv4 address. */
const host =
  /(\/\/)[^\s/,'"]+|([=→@,:\s])(?:[a-z\d_][\w-]*\.)+[a-z]{2,}(?!\w)|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/gi;

/** Packages from another registry, and settings of a whole file: the address may be inside a company's network. */
const namesPlace = ({ differsIn, name = '' }: Entry) => differsIn === 'source' || name.startsWith('#');

function hideHosts<Value extends string | null>(value: Value): Value | string {
  return value === null
    ? value
    : value.replace(host, (_, slashes = '', before = '') => `${slashes}${before}<address>`);
}

/** A fact's values without hosts. The fact's default and values of facts without hosts stay the same. */
export function hostHider(fact: string): <Value>(value: Value) => Value | string {
  const { namesHosts: names, unset } = factRow(fact) ?? {};
  return (value) => {
    if (names === undefined || value === null || value === unset) return value;
    if (names === true) return '<address>';
    return typeof value === 'string' ? hideHosts(value) : value;
  };
}

export function withoutHosts(entry: Entry): Entry {
  if (namesPlace(entry)) return { ...entry, a: hideHosts(entry.a), b: hideHosts(entry.b) };
  if (!namesHosts(entry)) return entry;
  const { a, b, key, list } = entry;
  const hide = hostHider(key);
  return {
    ...entry,
    a: hide(a),
    b: hide(b),
    ...(list && {
      list: { added: list.added.map(hide), removed: list.removed.map(hide), moved: list.moved.map(hide) },
    }),
  };
}

export function causeWithoutHosts(cause: Cause, comparison: EnvironmentComparison): Cause {
  const mayName = (place: Place) => namesHosts(place) || place.section === 'dependencies';
  return cause.members.some(mayName) ? causeWithTexts(cause, comparison, withoutHosts) : cause;
}
