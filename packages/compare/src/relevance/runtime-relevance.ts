// Whether a difference in a runtime or a tool counts by default: what the project asks for, and how far apart versions are.

import { type Distance, reaches } from '@envsnap/versions';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from './project-needs.ts';
import type { RelevanceContext } from './relevance-context.ts';
import { isLanguage, isManager } from './runtime-kinds.ts';

/** How far apart versions must be to count by default. What is on one side only always counts. */
const languageLevel: Distance = 'minor';
const managerLevel: Distance = 'major';

/** Whether the project asks for a tool; where nobody knows what it asks for, languages and package managers are. */
export function isAskedFor(key: string, needs: ProjectNeeds): boolean {
  return needs.known ? needs.tools.has(key) : isLanguage(key) || isManager(key);
}

/** Tools of which a project needs one. */
const alternatives: readonly (readonly string[])[] = [
  ['gcc', 'clang'],
  ['g++', 'clang'],
  ['docker', 'podman'],
  ['terraform', 'tofu'],
  ['lua', 'luajit'],
];

/** A tool on one side only, where the other side has one that does the same. */
export function hasAlternative({ key, status }: Entry, { a, b }: RelevanceContext): boolean {
  if (status === 'changed') return false;
  const without = status === 'removed' ? b : a;
  return alternatives.some(
    (group) =>
      group.includes(key) && group.some((name) => Object.hasOwn(without.runtimeVersions ?? {}, name)),
  );
}

/** Why two versions of a tool are too near each other to count, or null where they are not. */
export function versionReason({ key, status, distance }: Entry): string | null {
  if (status !== 'changed' || distance === null) return null;
  if (isLanguage(key))
    return reaches(distance, languageLevel) ? null : `less than a ${languageLevel} version apart`;
  if (isManager(key))
    return reaches(distance, managerLevel) ? null : `less than a ${managerLevel} version apart`;
  return 'a tool in another version';
}
