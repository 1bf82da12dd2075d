// How a package differs at one version: where it comes from, what patches it, what it contains; and what a file says of all its packages.

import { contentDiffers } from '@envsnap/shared/content-marks';
import type { Environment } from '../environment/environment.ts';
import { describeSource, splitPatch } from '../environment/locked-package.ts';
import type { Entry } from './model.ts';
import { own, walk } from './walk.ts';

export type OriginDifference = Required<Pick<Entry, 'a' | 'b' | 'differsIn'>>;

export const unreadContent = '#content';

export function createOriginTest(file: string, left: Environment, right: Environment) {
  const sides = [left, right] as const;
  const knowsSources = sides.every((side) => side.knowsSources(file));
  const [marksA, marksB] = [left.contentsOf(file), right.contentsOf(file)];
  return (name: string, version: string): OriginDifference | undefined => {
    if (knowsSources) {
      const [a, b] = sides.map((side) => side.sourcesOf({ file, name, version })) as [string, string];
      const isPatch = splitPatch(a).place === splitPatch(b).place;
      if (a !== b)
        return {
          a: `${version} ${describeSource(a)}`,
          b: `${version} ${describeSource(b)}`,
          differsIn: isPatch ? 'patch' : 'source',
        };
    }
    const [a, b] = [marksA.get(name), marksB.get(name)];
    if (!contentDiffers(a, b)) return undefined;
    return {
      a: `${version} (content ${a?.slice(1)})`,
      b: `${version} (content ${b?.slice(1)})`,
      differsIn: 'content',
    };
  };
}

export function compareFileSettings(left: Environment, right: Environment): Entry[] {
  const [a, b] = [left.fileSettings, right.fileSettings];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort().flatMap((file) => {
    // A file of packages that one side lacks differs in all of them already.
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
