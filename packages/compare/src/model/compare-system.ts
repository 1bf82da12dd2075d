// Compares what metadata shows of the system: distribution, libc, locale, time zone, kernel, container, hardware.

import { systemFactRow } from '@envsnap/shared/catalogue/facts/system';
import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { type Distance, versionDistance } from '@envsnap/versions';
import { systemFacts } from './metadata-facts.ts';
import type { ComparableEnvironment, Entry } from './model.ts';

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
      ...((systemFactRow(key)?.counts ?? 'never') === 'never' ? { context: true as const } : {}),
    });
  });
  return entries;
}

/** Each system numbers its kernels and releases on its own. */
const ofOneSystem = new Set(['kernel', 'release']);

function isVersioned(key: string, a: ComparableEnvironment, b: ComparableEnvironment): boolean {
  return systemFactRow(key)?.kind === 'version' && (a.os === b.os || !ofOneSystem.has(key));
}

function factDistance(a: string, b: string): Distance | null {
  if (a === b) return null;
  const left = nameAndVersion(a);
  const right = nameAndVersion(b);
  if (left.name !== right.name) return 'major';
  return left.version !== '' && right.version !== ''
    ? versionDistance(left.version, right.version, 'generic')
    : 'other';
}

/** `glibc` and `2.36` of `glibc 2.36`: the version begins with the first digit behind the last blank. */
function nameAndVersion(text: string): { readonly name: string; readonly version: string } {
  const word = text.search(/(?<!\S)\S*$/);
  const digit = text.slice(word).search(/\d/);
  if (digit < 0) return { name: text, version: '' };
  return { name: text.slice(0, word + digit).trimEnd(), version: text.slice(word + digit) };
}
