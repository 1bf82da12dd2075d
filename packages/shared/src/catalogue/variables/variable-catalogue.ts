// The catalogue of environment variables: what a name means and who sets it. Captures leave out volatile classes. Comparisons
// count classes that can be causes.

import people from './people.json' with { type: 'json' };
import programs from './programs.json' with { type: 'json' };
import services from './services.json' with { type: 'json' };
import {
  type VariableClass,
  type VariableClassRow,
  type VariableRow,
  variableClasses,
} from './variable-class.ts';

type Provided = Pick<VariableRow, 'provider' | 'source' | 'ecosystems'>;

/** Variables of one provider. Those of a row share their meaning; `[]` after a name: its value is an ordered list of folders. */
type VariableGroup = Provided & {
  readonly rows: readonly (Omit<VariableRow, keyof Provided | 'pattern' | 'list'> & {
    readonly names: readonly string[];
  })[];
};

export const variableCatalogue: readonly VariableRow[] = (
  [...programs, ...services, ...people] as readonly VariableGroup[]
).flatMap(({ rows, ...provided }) =>
  rows.flatMap(({ names, ...traits }) =>
    names.map((name) => ({
      ...provided,
      ...traits,
      ...(name.endsWith('[]') ? { pattern: name.slice(0, -2), list: true } : { pattern: name }),
    })),
  ),
);

const lists = new Set(variableCatalogue.flatMap(({ pattern, list }) => (list ? [pattern] : [])));
const foldedLists = new Set([...lists].map((name) => name.toUpperCase()));

/** Whether the value of a variable is an ordered list of folders, as that of `PATH` is. */
export function isListVariable(name: string, os?: string | null): boolean {
  return os === 'win32' ? foldedLists.has(name.toUpperCase()) : lists.has(name);
}

interface VariableContext {
  /** CI services and platforms of the environment, as `metadata.ci.provider` names them. */
  readonly providers?: ReadonlySet<string>;
  /** Names on Windows match in any case. */
  readonly ignoreCase?: boolean;
}

/**
 * The row that describes a variable best: an exact name before a pattern, a longer pattern before a shorter one, and the meaning
 * at the current service before the meaning elsewhere. Undefined for undocumented names.
 */
export function describeVariable(name: string, context: VariableContext = {}): VariableRow | undefined {
  const index = indexFor(context.ignoreCase ?? false);
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
  /** Higher if the row matches better. */
  readonly rank: number;
  /** The pattern without its `*`. */
  readonly parts: readonly string[];
}

interface Index {
  readonly names: ReadonlyMap<string | undefined, readonly Candidate[]>;
  /** Patterns that end with their only `*`, by the text before it. */
  readonly prefixes: ReadonlyMap<string | undefined, readonly Candidate[]>;
  readonly longestPrefix: number;
  readonly others: readonly Candidate[];
}

const indexes = new Map<boolean, Index>();

function indexFor(ignoreCase: boolean): Index {
  const index = indexes.get(ignoreCase) ?? buildIndex(ignoreCase);
  indexes.set(ignoreCase, index);
  return index;
}

const exactRank = 10_000;

function buildIndex(ignoreCase: boolean): Index {
  const all = variableCatalogue.map((row): Candidate => {
    const parts = (ignoreCase ? row.pattern.toUpperCase() : row.pattern).split('*');
    const rank = parts.length === 1 ? exactRank : parts.join('').length;
    return { row, rank: rank + (row.scoped ? 0.5 : 0), parts };
  });
  const isPrefix = ({ parts }: Candidate) => parts.length === 2 && parts[1] === '';
  const prefixes = Map.groupBy(all.filter(isPrefix), ({ parts }) => parts[0]);
  return {
    names: Map.groupBy(
      all.filter(({ parts }) => parts.length === 1),
      ({ parts }) => parts[0],
    ),
    prefixes,
    longestPrefix: Math.max(...[...prefixes.keys()].map((prefix) => prefix?.length ?? 0)),
    others: all.filter((each) => each.parts.length > 1 && !isPrefix(each)),
  };
}

function* candidatesOf(name: string, index: Index): Generator<Candidate> {
  yield* index.names.get(name) ?? [];
  for (let length = Math.min(name.length, index.longestPrefix); length >= 0; length -= 1) {
    yield* index.prefixes.get(name.slice(0, length)) ?? [];
  }
  for (const candidate of index.others) if (matchesParts(name, candidate.parts)) yield candidate;
}

/** Linear in the name: each part is searched for after the previous one. */
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
