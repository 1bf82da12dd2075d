// Marks differences that a comparison shows but does not count by default. docs/specification.md §12.

import { isCLibrary, packageDatabaseOf } from '@envsnap/shared/catalogue/machine-packages';
import { roleCounts, roleOf, toolRow } from '@envsnap/shared/catalogue/tools';
import { reaches } from '@envsnap/versions';
import type { Environment } from '../environment/environment.ts';
import { factRowOf } from '../environment/kind.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { unmetReason } from './conditions.ts';
import { personalReason } from './personal-relevance.ts';
import type { RelevanceContext } from './project-needs.ts';
import { listReason, placeReason, valueReason } from './value-relevance.ts';
import { judgeVariable } from './variable-relevance.ts';

export function markRelevance(entries: readonly Entry[], context: RelevanceContext): Entry[] {
  return entries.map((entry) => {
    if (entry.status === 'same') return entry;
    const reason = contextReason(entry, context);
    if (reason !== null) return { ...entry, context: true as const, contextReason: reason };
    const mild = mildReason(entry, context) ?? personalReason(entry, context);
    return mild === null ? entry : { ...entry, mild };
  });
}

function contextReason(entry: Entry, context: RelevanceContext): string | null {
  switch (entry.section) {
    case 'runtimes':
      if (!isAskedFor(entry.key, context.needs)) return 'nothing in the project asks for it';
      return hasAlternative(entry, context) ? 'an equivalent tool is there' : null;
    case 'system':
      return entry.context ? 'describes the machine' : null;
    case 'dependencies':
      return packageReason(entry, context);
    case 'env':
      return judgeVariable(entry.key, context.needs).contextOf ?? placeReason(entry, context);
    case 'paths':
      return judgeVariable(entry.key, context.needs).contextOf;
    case 'checkout':
      return entry.contextReason ?? null;
    case 'facts':
      if (factRowOf(entry.section, entry.key)?.ofArchitecture && context.a.arch !== context.b.arch)
        return 'comes with the architecture';
      return entry.context ? 'identifies the machine' : null;
    default:
      return entry.context ? 'context' : null;
  }
}

function mildReason(entry: Entry, context: RelevanceContext): string | null {
  switch (entry.section) {
    case 'runtimes':
      return versionReason(entry);
    case 'system':
    case 'facts':
      return unmetReason(factRowOf(entry.section, entry.key)?.counts ?? 'never', entry, context);
    case 'paths':
      return listReason(entry, context);
    case 'dependencies':
      return cLibraryReason(entry, context);
    case 'env':
      return valueReason(entry, context);
    default:
      return null;
  }
}

/** The system's C library and its package are the same thing, so both get the same mark. */
function cLibraryReason({ file, name }: Entry, { a, b }: RelevanceContext): string | null {
  if (file === undefined || packageDatabaseOf(file) === undefined || !isCLibrary(name ?? '')) return null;
  const isKnown = [a, b].every(({ system }) => system.libc !== undefined);
  return isKnown ? 'compared as the C library of the system' : null;
}

/** Package names belong to one package manager; if the other side does not have it, they cannot be compared. */
function packageReason(entry: Entry, { a, b }: RelevanceContext): string | null {
  const { file, name, context } = entry;
  if (file === undefined || packageDatabaseOf(file) === undefined) {
    if (isSaidAbove(entry, a, b)) return 'a file in a folder above sets its version';
    const isDeclared =
      /(?:^|\/)mise\.lock$/.test(file ?? '') || (name === 'php' && file?.endsWith('composer.json'));
    return isDeclared && entry.differsIn === undefined ? 'compared as a declared version' : null;
  }
  const isOnBoth = [a, b].every(({ dependencies }) => Object.hasOwn(dependencies, file));
  if (!isOnBoth) return 'its package manager is on one side only';
  return context ? 'part of the operating system' : null;
}

const sharing = ['Directory.Packages.props', 'Cargo.toml', 'pom.xml'];
/** How many folders above a file are searched. A difference that is repeated only further up counts twice. */
const mostFolders = 8;

/** Projects of .NET, Cargo and Maven inherit versions from a file above, which already has the same difference. */
function isSaidAbove({ file = '', name = '', a: before, b: after }: Entry, a: Environment, b: Environment) {
  if (!/(?:proj|Cargo\.toml|pom\.xml)$/.test(file)) return false;
  const folders = file.split('/').slice(0, -1);
  const nearest = Array.from({ length: Math.min(folders.length, mostFolders) + 1 }, (_, up) =>
    folders.slice(0, folders.length - up),
  );
  const above = nearest.flatMap((place) => sharing.map((each) => [...place, each].join('/')));
  const says = (side: Environment, path: string) => side.dependencies[path]?.[name] ?? null;
  return above.some((path) => path !== file && says(a, path) === before && says(b, path) === after);
}

/** Whether a project needs a tool; if its needs are unknown, it needs languages and package managers. */
function isAskedFor(key: string, needs: ProjectNeeds): boolean {
  return needs.known ? needs.tools.has(key) : roleOf(toolRow(key)) !== 'tool';
}

function hasAlternative({ key, status }: Entry, { a, b }: RelevanceContext): boolean {
  if (status === 'changed') return false;
  const { runtimes } = status === 'removed' ? b : a;
  return toolRow(key)?.insteadOf?.some((name) => Object.hasOwn(runtimes, name)) ?? false;
}

/** Why two versions of a tool are too close to count; null if they are not. A missing tool counts. */
function versionReason({ key, status, distance }: Entry): string | null {
  if (status !== 'changed' || distance === null) return null;
  const row = toolRow(key);
  const level = row?.counts ?? roleCounts[roleOf(row)];
  if (level === null) return 'a tool with a different version';
  return reaches(distance, level) ? null : `less than a ${level} version apart`;
}
