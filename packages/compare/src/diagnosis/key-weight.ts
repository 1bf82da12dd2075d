// How likely a key is a cause before any run is looked at, as comparisons weigh the same difference, and which keys merely
// follow from others.

import { parseAddress, sectionOf } from '@envsnap/shared/address';
import { ecosystemOfRuntime } from '@envsnap/shared/catalogue/ecosystem';
import { packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { versionDistance } from '@envsnap/versions';
import type { Place } from '../causes/cause.ts';
import { runtimeOf } from '../causes/families.ts';
import { type Difference, differenceWeight } from '../causes/weights.ts';

/** How a key differs: its value where the command works and where it fails, as far as they are known. Null: it is not there. */
export interface KeyChange {
  readonly works?: string | null | undefined;
  readonly fails?: string | null | undefined;
}

/** From 0 (never the cause) to 100, by the weight of the same difference between two environments. */
export function keyWeight(key: string, change: KeyChange = {}): number {
  const difference = differenceOf(key, change);
  if (difference) return differenceWeight(difference);
  // What no comparison of two environments shows: the code itself, and what says where a run took place.
  return /^checkout\.(?:commit|branch|dirty)$/.test(key) ? 58 : key.startsWith('metadata.') ? 15 : 10;
}

function differenceOf(key: string, { works, fails }: KeyChange): Difference | undefined {
  const place = placeOf(key);
  if (!place) return undefined;
  const [a, b] = [works ?? null, fails ?? null];
  const status = works === null ? 'added' : fails === null ? 'removed' : 'changed';
  const requirement = { requirement: '', file: '', present: null };
  return {
    ...place,
    status,
    a,
    b,
    distance:
      place.section === 'runtimes' && a !== null && b !== null
        ? versionDistance(a, b, ecosystemOfRuntime(place.key))
        : null,
    ...(isMachinePackage(place) && { context: true as const }),
    ...(key.endsWith(' not met') && {
      declared: { a: { ...requirement, satisfied: true }, b: { ...requirement, satisfied: false } },
    }),
  };
}

/** The entry of a comparison that a key of a diagnosis is; undefined where a comparison has none. */
function placeOf(key: string): Place | undefined {
  const address = parseAddress(key);
  const section = address && sectionOf(address.section);
  // A diagnosis compares commits, which a comparison shows as context.
  return section && section !== 'checkout' ? { section, key: address.name } : undefined;
}

/** Packages of the operating system, named by the file of their database. */
function isMachinePackage({ section, key }: Place): boolean {
  return section === 'dependencies' && packageDatabaseOf(key.slice(0, key.lastIndexOf('/'))) !== undefined;
}

/** Which keys of a group only repeat another one. */
const echoes: readonly (readonly [RegExp, (match: RegExpExecArray) => readonly string[]])[] = [
  [/^metadata\.tools\.([^.]+)\./, ([, tool]) => [`runtimes.${tool}`]],
  [/^toolchain\.(\S+)/, ([, tool]) => [`runtimes.${tool}`]],
  [/^system\.timezone$/, () => ['env:TZ']],
  [/^system\.locale$/, () => ['env:LC_ALL', 'env:LC_CTYPE', 'env:LANG']],
  [/^system\.release$/, () => ['system.distribution']],
  [/^system\.shell/, () => ['env:SHELL']],
];

/**
 * Keys that say where or with what image a run took place, and how they are named. They bring causes and are not causes
 * themselves.
 */
export const occasions: Readonly<Record<string, string>> = {
  'env:ImageVersion': 'image',
  'env:ImageOS': 'image',
  'env:CI_JOB_IMAGE': 'image',
  'metadata.ci.image': 'image',
  machineName: 'machine',
};

/** Whether a key only repeats another one of its group, so that no run could tell the two apart. */
export function isEcho(key: string, group: ReadonlySet<string>): boolean {
  if (Object.hasOwn(occasions, key)) return [...group].some((other) => !Object.hasOwn(occasions, other));
  const place = placeOf(key);
  const runtime = place && runtimeOf(place);
  if (runtime !== undefined && group.has(`runtimes.${runtime}`)) return true;
  return echoes.some(([pattern, origins]) => {
    const match = pattern.exec(key);
    return match !== null && origins(match).some((origin) => group.has(origin));
  });
}
