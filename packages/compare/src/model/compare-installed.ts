// Compares where installed packages are not those of the lock file (`metadata.installed`). docs/specification.md §11.

import { ecosystemOfFile } from '@envsnap/shared/catalogue/ecosystem';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { versionDistance } from '@envsnap/versions';
import type { ComparableEnvironment, Entry } from './model.ts';

type Installed = Record<string, Record<string, string>>;

/** What an installed version is called that is the one of the lock file, where that is not known, and a missing one. */
const asLocked = 'as locked';
const missing = 'missing';

/** A side that does not name a package has it as its lock file says. */
export function compareInstalled(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const left = installedPackages(a);
  const right = installedPackages(b);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (file) => {
    const inA = left[file] ?? {};
    const inB = right[file] ?? {};
    mergeKeys(sortedKeys(inA), sortedKeys(inB), (name) => {
      const valueA = installedVersion(a, inA, file, name);
      const valueB = installedVersion(b, inB, file, name);
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
      });
    });
  });
  return entries;
}

/** Lock file to package to installed version, `""` for missing, as the capture wrote it. */
export function installedPackages(environment: ComparableEnvironment): Installed {
  const all: Installed = {};
  const { installed } = environment.metadata ?? {};
  if (!isObject(installed)) return all;
  for (const [file, packages] of Object.entries(installed)) {
    if (!isObject(packages)) continue;
    all[file] = Object.fromEntries(
      Object.entries(packages).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  }
  return all;
}

function installedVersion(
  side: ComparableEnvironment,
  installed: Record<string, string>,
  file: string,
  name: string,
): string {
  if (Object.hasOwn(installed, name)) return installed[name] || missing;
  const locked = side.dependencies?.[file];
  return locked && Object.hasOwn(locked, name) ? (locked[name] as string) : asLocked;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
