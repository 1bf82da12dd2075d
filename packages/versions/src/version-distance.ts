// How far apart two versions are: the first part that differs, by the rules of the versions' ecosystem.

import type { Ecosystem } from '@envsnap/shared/catalogue/ecosystem';
import { parseVersion, type VersionParts } from './version-parts.ts';

/** From the widest to the narrowest; `other` is a change between values that are not versions (commits, addresses, words). */
export const distances = ['major', 'minor', 'patch', 'prerelease', 'build', 'other'] as const;
export type Distance = (typeof distances)[number];

/** Maximum number of comparisons of single versions for one name; above that the distance is `other`. */
const maxPairs = 10_000;

/**
 * How far apart two differing values are; null if they are equal. A value may hold several versions joined by `, `: then each
 * version that only one side has is compared with the nearest of the other side, and the widest of these distances is returned.
 */
export function versionDistance(a: string, b: string, ecosystem: Ecosystem): Distance | null {
  if (a === b) return null;
  if (!a.includes(',') && !b.includes(',')) return singleDistance(a, b, ecosystem);
  return setDistance(splitVersions(a), splitVersions(b), ecosystem);
}

export function splitVersions(value: string): string[] {
  return value
    .split(',')
    .map((version) => version.trim())
    .filter((version) => version !== '');
}

export function widerDistance(a: Distance, b: Distance): Distance {
  return rank(a) <= rank(b) ? a : b;
}

/** True if a distance is at least as wide as the level; `other` always is, because nothing shows that it is small. */
export function reaches(distance: Distance, level: Distance): boolean {
  return rank(distance) <= rank(level);
}

const ranks: Record<Distance, number> = { other: 0, major: 1, minor: 2, patch: 3, prerelease: 4, build: 5 };

function rank(distance: Distance): number {
  return ranks[distance];
}

function setDistance(a: readonly string[], b: readonly string[], ecosystem: Ecosystem): Distance | null {
  const inA = new Set(a);
  const inB = new Set(b);
  const onlyA = [...inA].filter((version) => !inB.has(version));
  const onlyB = [...inB].filter((version) => !inA.has(version));
  if (onlyA.length === 0 && onlyB.length === 0) return null;
  if (onlyA.length * inB.size + onlyB.length * inA.size > maxPairs) return 'other';
  const nearestTo = (version: string, others: Iterable<string>): Distance => {
    let nearest: Distance = 'other';
    for (const other of others) {
      const distance = singleDistance(version, other, ecosystem);
      if (rank(distance) > rank(nearest)) nearest = distance;
    }
    return nearest;
  };
  const all = [
    ...onlyA.map((version) => nearestTo(version, inB)),
    ...onlyB.map((version) => nearestTo(version, inA)),
  ];
  return all.reduce(widerDistance);
}

function singleDistance(a: string, b: string, ecosystem: Ecosystem): Distance {
  const left = parseVersion(a, ecosystem);
  const right = parseVersion(b, ecosystem);
  return left && right ? partsDistance(left, right) : 'other';
}

function partsDistance(a: VersionParts, b: VersionParts): Distance {
  if (a.epoch !== b.epoch) return 'major';
  for (let index = 0; index < Math.max(a.release.length, b.release.length); index += 1) {
    if ((a.release[index] ?? 0) !== (b.release[index] ?? 0)) {
      return index === 0 ? 'major' : index === 1 ? 'minor' : index === 2 ? 'patch' : 'build';
    }
  }
  if (a.prerelease !== b.prerelease) return 'prerelease';
  return 'build';
}
