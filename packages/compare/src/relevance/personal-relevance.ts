// What people have as they like on machines that work, which seldom counts. docs/specification.md §12.

import { describeVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { factRowOf } from '../environment/kind.ts';
import type { Entry } from '../model/model.ts';
import type { ProjectNeeds } from '../model/needs.ts';
import { splitList } from '../model/ordered-list.ts';
import type { RelevanceContext } from './project-needs.ts';
import { judgeVariable } from './variable-relevance.ts';

export function personalReason(entry: Entry, context: RelevanceContext): string | null {
  if (context.explains) return null;
  return choiceReason(entry, context.needs) ?? driverReason(entry, context) ?? platformReason(entry, context);
}

function choiceReason(entry: Entry, needs: ProjectNeeds): string | null {
  const { section, key } = entry;
  const isVariable = section === 'env' || section === 'paths';
  const { row, mentionedIn, fromDotenv } = judgeVariable(key, needs);
  if (isVariable && (fromDotenv || mentionedIn !== undefined)) return null;
  const fact = isVariable ? undefined : factRowOf(section, key);
  const { personal, family } = (isVariable ? row : fact) ?? {};
  if (!personal) return null;
  const setting = fact?.apply?.by === 'git-config' ? fact.apply.key : undefined;
  if (setting !== undefined && needs.settings.has(setting)) return null;
  return family !== undefined && mentionsFamily(needs, family)
    ? null
    : 'people have it as they like, and the project does not mention it';
}

function mentionsFamily({ variables, providers, ignoreCase }: ProjectNeeds, family: string): boolean {
  return [...variables.keys()].some(
    (name) => describeVariable(name, { providers, ignoreCase })?.family === family,
  );
}

function driverReason({ section, key }: Entry, { a, b }: RelevanceContext): string | null {
  if (section !== 'paths') return null;
  const [left = [], right = []] = [a, b].map(({ variables, os }) => splitList(variables[key] ?? '', os));
  const changed = [
    ...left.filter((folder) => !right.includes(folder)),
    ...right.filter((folder) => !left.includes(folder)),
  ];
  const isDriver = changed.length > 0 && changed.every((folder) => driverFolder.test(folder));
  return isDriver ? 'of the graphics driver' : null;
}

const driverFolder = /^(?:$|\/(?:usr|opt)\/.*(?:cuda|rocm))/;

function platformReason({ section, key }: Entry, { a, b }: RelevanceContext): string | null {
  if (!a.project.isRecorded || !b.project.isRecorded) return null;
  if (section === 'os' || section === 'arch') return 'the project does not ask for a platform';
  if (a.os === b.os) return null;
  if (section === 'paths') return 'each operating system has its own folders';
  const isOfSystem = section === 'facts' && /^(?:fs|git\.core|limits|program)\./.test(key);
  return isOfSystem ? 'comes with the operating system' : null;
}

/** Whether two lists of options differ in how much memory or how many jobs they give a program, and in nothing else. */
export function differInSizesOnly(a: string | null, b: string | null): boolean {
  return withoutSizes(a) === withoutSizes(b);
}

/** Options of V8, of Java's machine, of make, and of Bundler, whose `path` says where packages are kept. */
const sizes =
  /^(?:--max[-_](?:old|semi|heap)[-_](?:space[-_])?size(?:[-_]percentage)?(?:=\d+)?|-X(?:m[snx]|ss)\d+[kmgtKMGT]?|-XX:(?:Max|Min|Initial)[A-Za-z]*(?:Size|Percentage)=[\d.]+[kmgtKMGT]?|(?:path|jobs|retry)[=:].*|-j\d*|--jobs(?:=\d+)?|\d+)$/;

function withoutSizes(options: string | null): string {
  const words = /^(?:none|default)$/.test(options ?? '') ? [] : (options ?? '').split(/\s+/);
  return words.filter((word) => word !== '' && !sizes.test(word)).join(' ');
}
