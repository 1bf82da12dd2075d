// One difference in words, the same in every format: the sign, the name, both sides, the consequence.

import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { sharedLength } from '@envsnap/shared/text/size';
import { listPhrase } from '../causes/sentence.ts';
import type { SideNames } from '../causes/side-names.ts';
import type { DeclaredRequirement, Entry, ListChange, Side } from '../model/model.ts';
import { nameList } from '../model/ordered-list.ts';

export type Sign = '-' | '+' | '~' | '=';

const signs = { removed: '-', added: '+', changed: '~', same: '=' } as const;

export function signOf(entry: Entry): Sign {
  return signs[entry.status];
}

export function nameOf(entry: Entry): string {
  return entry.name ?? entry.key;
}

/** The text for side A of an entry; undefined if there is none. */
export function sideValue(entry: Entry, side: 'a' | 'b'): string | undefined {
  const value = entry[side];
  if (entry.section === 'toolchain') {
    const declared = entry.declared?.[side];
    return declared ? declaredText(declared) : undefined;
  }
  if (value === null) return undefined;
  if ((entry.section === 'env' || entry.section === 'paths') && isHiddenValue(value))
    return value === '[redacted]' ? '(redacted)' : '(secret)';
  return value;
}

function declaredText(declared: DeclaredRequirement): string {
  if (declared.present === null) return `${declared.requirement} (not there)`;
  return `${declared.requirement} (has ${declared.present}${declared.satisfied === false ? ', which does not fit' : ''})`;
}

export function changeText(entry: Entry, names: SideNames): string {
  if (entry.section === 'toolchain' && entry.status !== 'same') return declaredPhrase(entry, names);
  const a = sideValue(entry, 'a');
  const b = sideValue(entry, 'b');
  if (entry.status === 'removed') return a === undefined ? `only ${names.a.at}` : `${a}, only ${names.a.at}`;
  if (entry.status === 'added') return b === undefined ? `only ${names.b.at}` : `${b}, only ${names.b.at}`;
  if (entry.status === 'same') return sameText(entry);
  if (entry.section === 'paths' && entry.list) return listPhrase(entry, names.b.at);
  if (entry.list) return listNames(entry.list);
  if (a === undefined || b === undefined) return 'value differs';
  return `${a} → ${b}`;
}

/** `needs 22.11.0; ben has 22.14.0`: the requirement, and each side that does not have it. */
function declaredPhrase({ declared, status }: Entry, names: SideNames): string {
  const [a, b] = [declared?.a ?? null, declared?.b ?? null];
  const has = ({ name }: { name: string }, side: DeclaredRequirement) =>
    side.present === null ? `${name} has none` : `${name} has ${side.present}`;
  if (a === null || b === null) {
    const only = a ?? b;
    const where = status === 'removed' ? names.a : names.b;
    return only === null ? 'differs' : `needs ${only.requirement}, only ${where.at}; ${has(where, only)}`;
  }
  const needs =
    a.requirement === b.requirement
      ? `needs ${a.requirement}`
      : `needs ${a.requirement} ${names.a.at}, ${b.requirement} ${names.b.at}`;
  const present = [
    ...(a.satisfied === true && b.satisfied === false ? [] : [has(names.a, a)]),
    ...(b.satisfied === true && a.satisfied === false ? [] : [has(names.b, b)]),
  ];
  return a.present === b.present && a.present !== null
    ? `${needs}; both have ${a.present}`
    : `${needs}; ${present.join(', ')}`;
}

function listNames({ added, removed, moved }: ListChange): string {
  const parts = [
    removed.length > 0 ? `− ${nameList(removed)}` : '',
    added.length > 0 ? `+ ${nameList(added)}` : '',
    moved.length > 0 ? `another order: ${nameList(moved)}` : '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function sameText(entry: Entry): string {
  if (entry.unverified === 'redacted') return 'redacted on both sides, counted as equal';
  if (entry.unverified === 'other-key') return 'fingerprints of different keys, not comparable';
  if (entry.unverified === 'one-side') return 'readable on one side only, not comparable';
  if (entry.unverified === 'names-only') return 'on both sides, values not compared';
  return sideValue(entry, 'b') ?? 'equal';
}

export function distanceText(entry: Entry): string {
  return entry.distance === null ||
    entry.distance === 'other' ||
    entry.section === 'os' ||
    entry.section === 'arch'
    ? ''
    : entry.distance;
}

export function originOf(entry: Entry): string {
  // A declaration's source may also name the part of the file: `package.json engines`.
  return entry.file ?? (entry.declared?.b?.file ?? entry.declared?.a?.file ?? '').replace(/ .*$/s, '');
}

export function sideText(side: Side): string {
  const platform = [side.os, side.arch].filter((part) => part !== null).join(' ');
  return [side.machineName, platform, side.revision ?? '', side.folder ?? '']
    .filter((part) => part !== '')
    .join(', ');
}

/** Splits two versions into their common beginning and the rest, at a border between parts. */
export function splitChanged(
  a: string,
  b: string,
): { readonly common: string; readonly a: string; readonly b: string } {
  if (a.includes(', ') || b.includes(', ')) {
    const [itemsA, itemsB] = [a.split(', '), b.split(', ')];
    let same = 0;
    while (same < itemsA.length && same < itemsB.length && itemsA[same] === itemsB[same]) same += 1;
    const shared = itemsA.slice(0, same).join(', ').length;
    return { common: a.slice(0, shared), a: a.slice(shared), b: b.slice(shared) };
  }
  let shared = sharedLength(a, b);
  // Goes back to the last border: `1.19` and `1.18` differ in `19`, not in `9`.
  while (shared > 0 && /[0-9A-Za-z]/.test(a[shared - 1] as string)) shared -= 1;
  return { common: a.slice(0, shared), a: a.slice(shared), b: b.slice(shared) };
}
