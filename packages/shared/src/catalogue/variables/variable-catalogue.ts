// The catalogue of environment variables: what a name means, and who says so. Captures leave out what its classes name
// as volatile; comparisons count what its classes name as causes.

import { githubAndGitlab } from './ci-github-gitlab.ts';
import { otherCiServices } from './ci-others.ts';
import { everywhere } from './everywhere.ts';
import { hosting } from './hosting.ts';
import { personAndMachine } from './person-and-machine.ts';
import { runtimes } from './runtimes.ts';
import {
  type VariableClass,
  type VariableClassRow,
  type VariableGroup,
  type VariableRow,
  variableClasses,
} from './variable-class.ts';

const groups: readonly VariableGroup[] = [
  ...everywhere,
  ...runtimes,
  ...githubAndGitlab,
  ...otherCiServices,
  ...hosting,
  ...personAndMachine,
];

/** Every row of the catalogue, one a name or pattern. */
export const variableCatalogue: readonly VariableRow[] = groups.flatMap(
  ({ names, special = [], ...group }) => [
    ...patternsOf(names).map((row) => ({ ...group, ...row })),
    ...special.flatMap(({ names: own, ...traits }) =>
      patternsOf(own).map((row) => ({ ...group, ...traits, ...row })),
    ),
  ],
);

function patternsOf(names: string): Pick<VariableRow, 'pattern' | 'list'>[] {
  return names
    .split(/\s+/)
    .filter((name) => name !== '')
    .map((name) => (name.endsWith('[]') ? { pattern: name.slice(0, -2), list: true } : { pattern: name }));
}

const lists = new Set(variableCatalogue.flatMap(({ pattern, list }) => (list ? [pattern] : [])));
const foldedLists = new Set([...lists].map((name) => name.toUpperCase()));

/** Whether the value of a variable is an ordered list of folders, as that of `PATH` is. */
export function isListVariable(name: string, os?: string | null): boolean {
  return os === 'win32' ? foldedLists.has(name.toUpperCase()) : lists.has(name);
}

export interface VariableContext {
  /** CI services and platforms of the environment, as `metadata.ci.provider` names them. */
  readonly providers?: ReadonlySet<string>;
  /** Names on Windows match in any case. */
  readonly ignoreCase?: boolean;
}

/**
 * The row that describes a variable best: an exact name before a pattern, a longer pattern before a shorter one, and
 * the service that is there before what the name means elsewhere. Undefined for names that nobody documents.
 */
export function describeVariable(name: string, context: VariableContext = {}): VariableRow | undefined {
  const index = context.ignoreCase ? folded() : exact();
  const key = context.ignoreCase ? name.toUpperCase() : name;
  let best: Candidate | undefined;
  for (const candidate of candidatesOf(key, index)) {
    if (candidate.row.scoped && !context.providers?.has(candidate.row.provider)) continue;
    if (!best || candidate.rank > best.rank) best = candidate;
  }
  return best?.row;
}

/** Whether a capture leaves variables of a class out, because they differ from one process, session or run to the next. */
export function isVolatile(name: VariableClass): boolean {
  const row: VariableClassRow = variableClasses[name];
  return row.volatile ?? false;
}

interface Candidate {
  readonly row: VariableRow;
  /** The higher, the better the row fits. */
  readonly rank: number;
}

interface Index {
  readonly names: ReadonlyMap<string, readonly Candidate[]>;
  /** Patterns that end with their only `*`, by what stands before it. */
  readonly prefixes: ReadonlyMap<string, readonly Candidate[]>;
  readonly longestPrefix: number;
  readonly others: readonly (Candidate & { readonly parts: readonly string[] })[];
}

let exactIndex: Index | undefined;
let foldedIndex: Index | undefined;

function exact(): Index {
  exactIndex ??= buildIndex((pattern) => pattern);
  return exactIndex;
}

function folded(): Index {
  foldedIndex ??= buildIndex((pattern) => pattern.toUpperCase());
  return foldedIndex;
}

const exactRank = 10_000;

function buildIndex(spell: (pattern: string) => string): Index {
  const names = new Map<string, Candidate[]>();
  const prefixes = new Map<string, Candidate[]>();
  const others: (Candidate & { parts: string[] })[] = [];
  for (const row of variableCatalogue) {
    const pattern = spell(row.pattern);
    const stars = pattern.includes('*') ? pattern.split('*').length - 1 : 0;
    const rank = (stars === 0 ? exactRank : pattern.length - stars) + (row.scoped ? 0.5 : 0);
    if (stars === 0) append(names, pattern, { row, rank });
    else if (stars === 1 && pattern.endsWith('*')) append(prefixes, pattern.slice(0, -1), { row, rank });
    else others.push({ row, rank, parts: pattern.split('*') });
  }
  const longestPrefix = Math.max(...[...prefixes.keys()].map((prefix) => prefix.length));
  return { names, prefixes, longestPrefix, others };
}

function append(map: Map<string, Candidate[]>, key: string, candidate: Candidate): void {
  const list = map.get(key);
  if (list) list.push(candidate);
  else map.set(key, [candidate]);
}

function* candidatesOf(name: string, index: Index): Generator<Candidate> {
  yield* index.names.get(name) ?? [];
  for (let length = Math.min(name.length, index.longestPrefix); length >= 0; length -= 1) {
    yield* index.prefixes.get(name.slice(0, length)) ?? [];
  }
  for (const candidate of index.others) if (matchesParts(name, candidate.parts)) yield candidate;
}

/** Linear in the name: each part is looked for behind the one before it. */
function matchesParts(name: string, parts: readonly string[]): boolean {
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
    return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, from);
    if (found < 0) return false;
    from = found + part.length;
  }
  return from <= name.length - last.length;
}
