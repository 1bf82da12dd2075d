// Compares installed packages that differ from their lock files. docs/specification.md §11.

import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { versionDistance } from '@envsnap/versions';
import type { Environment } from '../environment/environment.ts';
import { directPackages } from './direct-packages.ts';
import type { Entry, PackageDrift } from './model.ts';

/** Texts for values that no lock file has: a program, interpreter or link that works, a missing package. */
const inOrder = 'in order';
const absent = 'absent';
const unlocked = 'not locked';
const missing = 'missing';
const nothing = 'nothing';
export const leftOut = 'left out';

export function compareInstalled(a: Environment, b: Environment): Entry[] {
  const [left, right] = [a.installed, b.installed];
  const entries: Entry[] = [];
  // If a side has nothing installed, single packages add nothing.
  const withNothing = new Set([...a.notInstalled, ...b.notInstalled]);
  mergeKeys(sortedKeys(left), sortedKeys(right), (file) => {
    if (withNothing.has(file)) return;
    const inA = left[file] ?? {};
    const inB = right[file] ?? {};
    const direct = directPackages(file, a, b);
    mergeKeys(sortedKeys(inA), sortedKeys(inB), (name) => {
      const valueA = installedVersion(a, file, name, inA, inB, b.dependencies[file]);
      const valueB = installedVersion(b, file, name, inB, inA, a.dependencies[file]);
      const distance =
        valueA === valueB || !/^\d/.test(valueA) || !/^\d/.test(valueB)
          ? null
          : versionDistance(valueA, valueB, ecosystemOfFile(file));
      entries.push({
        section: 'installed',
        key: `${file}/${name}`,
        status: statusOf(true, true, valueA === valueB),
        a: valueA,
        b: valueB,
        distance,
        file,
        name,
        ...(direct.has(name) && { direct: true }),
        drift: driftBetween(a, b, file, name),
      });
    });
  });
  return [...nothingInstalled(a, b), ...entries];
}

function nothingInstalled(a: Environment, b: Environment): Entry[] {
  const [inA, inB] = [a.notInstalled, b.notInstalled];
  const [withoutA, withoutB] = [a.withoutDevelopment, b.withoutDevelopment];
  return [...new Set([...inA, ...inB, ...withoutA, ...withoutB])].sort().flatMap((file): Entry[] => {
    if (a.dependencies[file] === undefined || b.dependencies[file] === undefined) return [];
    const isNothing = inA.has(file) || inB.has(file);
    const stateOf = (all: ReadonlySet<string>, without: ReadonlySet<string>): string =>
      all.has(file) ? nothing : !isNothing && without.has(file) ? leftOut : 'installed';
    const [valueA, valueB] = [stateOf(inA, withoutA), stateOf(inB, withoutB)];
    if (valueA === valueB) return [];
    return [
      {
        section: 'installed',
        key: isNothing ? file : `${file}/devDependencies`,
        status: 'changed',
        a: valueA,
        b: valueB,
        distance: null,
        file,
        mild: isNothing ? 'a job may compare before it installs' : 'an installation for production has none',
      },
    ];
  });
}

/** Whether an entry says that nothing from its lock file is installed on one side, or no development package. */
export function isNothingInstalled({ section, name }: Pick<Entry, 'section' | 'name'>): boolean {
  return section === 'installed' && name === undefined;
}

export function lackingIn({ a, b, file = '' }: Entry): { readonly side: 'a' | 'b'; readonly what: string } {
  const what = [a, b].includes(nothing)
    ? `nothing from ${file} is installed`
    : `the development packages of ${file} are not installed`;
  return { side: b === 'installed' ? 'a' : 'b', what };
}

function driftBetween(a: Environment, b: Environment, file: string, name: string): PackageDrift {
  const [inA, inB] = [a, b].map((side) => Object.hasOwn(side.installed[file] ?? {}, name));
  const sides = inA && inB ? 'both' : inA ? 'a' : 'b';
  return { sides, ...(sides === 'a' ? a : b).driftOf(file, name) };
}

function installedVersion(
  side: Environment,
  file: string,
  name: string,
  installed: Record<string, string>,
  other: Record<string, string>,
  otherLocked: Readonly<Record<string, string>> | undefined,
): string {
  if (Object.hasOwn(installed, name)) return installed[name] || missing;
  const locked = side.dependencies[file];
  if (locked && Object.hasOwn(locked, name)) return locked[name] as string;
  // The other lock file is a newer one, with a package that is not installed yet.
  if (locked && other[name] === '' && otherLocked && Object.hasOwn(otherLocked, name)) return unlocked;
  return /^\d/.test(other[name] ?? '') ? absent : inOrder;
}
