// Compares what metadata tells of the system: distribution, libc, locale, time zone, kernel, container, hardware.

import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { type Distance, versionDistance } from '@envsnap/versions';
import { systemFacts } from './metadata-facts.ts';
import type { ComparableEnvironment, Entry } from './model.ts';

/** Facts that programs depend on. All others (kernel, processor, memory, container, shell, …) are context. */
const causalFacts = new Set(['distribution', 'distro', 'libc', 'locale', 'timezone']);

/** Compares the facts of two systems; a fact that differs by another name (`glibc`, `musl`) is `major`. */
export function compareSystems(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const left = systemFacts(a.metadata);
  const right = systemFacts(b.metadata);
  const entries: Entry[] = [];
  mergeKeys(sortedKeys(left), sortedKeys(right), (key, inA, inB) => {
    const valueA = inA ? (left[key] as string) : null;
    const valueB = inB ? (right[key] as string) : null;
    entries.push({
      section: 'system',
      key,
      status: statusOf(inA, inB, valueA === valueB),
      a: valueA,
      b: valueB,
      distance:
        valueA !== null && valueB !== null && isVersioned(key, a, b) ? factDistance(valueA, valueB) : null,
      ...(causalFacts.has(key.split('.')[0] as string) ? {} : { context: true as const }),
    });
  });
  return entries;
}

/** Facts that have versions. A language, a processor or a number of them is another one, not a newer one. */
const versioned = new Set(['distribution', 'distro', 'libc']);
/** Versioned, each system by its own count. */
const versionedOnOneSystem = new Set(['kernel', 'release']);

function isVersioned(key: string, a: ComparableEnvironment, b: ComparableEnvironment): boolean {
  const name = key.split('.')[0] as string;
  return versioned.has(name) || (versionedOnOneSystem.has(name) && a.os === b.os);
}

function factDistance(a: string, b: string): Distance | null {
  if (a === b) return null;
  const left = /^(.*?)\s*(\d\S*)$/s.exec(a);
  const right = /^(.*?)\s*(\d\S*)$/s.exec(b);
  const nameA = left ? left[1] : a;
  const nameB = right ? right[1] : b;
  if (nameA !== nameB) return 'major';
  return left && right ? versionDistance(left[2] as string, right[2] as string, 'generic') : 'other';
}
