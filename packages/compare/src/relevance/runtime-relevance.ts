// Whether a difference in a runtime or a tool counts by default: what the project asks for, and how far apart versions are.

import { roleCounts, roleOf, toolRow } from '@envsnap/shared/catalogue/tools';
import { reaches } from '@envsnap/versions';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import type { RelevanceContext } from './relevance-context.ts';

/** Whether a project asks for a tool; where nobody knows what it asks for, languages and package managers are asked for. */
export function isAskedFor(key: string, needs: ProjectNeeds): boolean {
  return needs.known ? needs.tools.has(key) : roleOf(toolRow(key)) !== 'tool';
}

/** A tool on one side only, where the other side has one that does the same. */
export function hasAlternative({ key, status }: Entry, { a, b }: RelevanceContext): boolean {
  if (status === 'changed') return false;
  const { runtimes } = status === 'removed' ? b : a;
  return toolRow(key)?.insteadOf?.some((name) => Object.hasOwn(runtimes, name)) ?? false;
}

/** Why two versions of a tool are too close to count, or null where they are not. What one side lacks counts. */
export function versionReason({ key, status, distance }: Entry): string | null {
  if (status !== 'changed' || distance === null) return null;
  const level = roleCounts[roleOf(toolRow(key))];
  if (level === null) return 'a tool in another version';
  return reaches(distance, level) ? null : `less than a ${level} version apart`;
}
