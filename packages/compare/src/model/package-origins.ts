// How a package differs at one version: where it comes from, what patches it, what it contains; and a file's settings
// for all its packages.

import { contentDiffers } from '@envsnap/shared/content-marks';
import type { Environment } from '../environment/environment.ts';
import { describeSource, splitPatch } from '../environment/locked-package.ts';
import type { Entry } from './model.ts';
import { own, walk } from './walk.ts';

type OriginDifference = Required<Pick<Entry, 'a' | 'b' | 'differsIn'>>;

export const unreadContent = '#content';

export function createOriginTest(file: string, left: Environment, right: Environment) {
  const knowsSources = [left, right].every((side) => side.knowsSources(file));
  const [marksA, marksB] = [left.contentsOf(file), right.contentsOf(file)];
  return (name: string, versionA: string, versionB: string): OriginDifference | undefined => {
    const version = versionA === versionB ? versionA : withoutCommit(versionA);
    if (versionA !== versionB && version !== withoutCommit(versionB)) return undefined;
    if (knowsSources) {
      const [a, b] = [
        left.sourcesOf({ file, name, version: versionA }),
        right.sourcesOf({ file, name, version: versionB }),
      ];
      const isPatch = splitPatch(a).place === splitPatch(b).place;
      if (a !== b)
        return {
          a: `${version} ${describeSource(a)}`,
          b: `${version} ${describeSource(b)}`,
          differsIn: isPatch ? 'patch' : 'source',
        };
    }
    if (versionA !== versionB) return { a: versionA, b: versionB, differsIn: 'source' };
    if (marksA === undefined || marksB === undefined) return undefined;
    const [a, b] = [marksA.get(name), marksB.get(name)];
    const text = (mark?: string) =>
      `${version} (${mark === undefined ? 'no checksum' : `content ${mark.slice(1)}`})`;
    if ((a === undefined) !== (b === undefined)) return { a: text(a), b: text(b), differsIn: 'checksum' };
    return contentDiffers(a, b) ? { a: text(a), b: text(b), differsIn: 'content' } : undefined;
  };
}

/** The commit belongs to the source, not to the version. */
function withoutCommit(version: string): string {
  return version.replace(/[+.]git\.[\da-f]{7,64}$/, '');
}

export function compareFileSettings(left: Environment, right: Environment): Entry[] {
  const [a, b] = [left.fileSettings, right.fileSettings];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().flatMap((file) => {
    // If one side lacks a file of packages, all of them differ already.
    const [isReadA, isReadB] = [left, right].map(({ dependencies }) => Object.hasOwn(dependencies, file));
    if (isReadA !== isReadB || ![left, right].every((side) => side.knowsSources(file))) return [];
    const entries = walk('dependencies', [a[file] ?? {}, b[file] ?? {}], own, (name, valueA, valueB) => ({
      distance: valueA === valueB || valueA === null || valueB === null ? null : 'other',
      file,
      name,
    }));
    return entries.map((entry) => ({ ...entry, key: `${file}/${entry.key}` }));
  });
}
