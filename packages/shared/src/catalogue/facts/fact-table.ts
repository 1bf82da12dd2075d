// Reads the tables of facts.

import type { Ecosystem } from '../ecosystem.ts';
import { conditionTexts, type FactRepair, type FactRow, type FactWeight, type WeightCase } from './fact.ts';
import type { FactOrigin, FactSource, FactWay, SettingsTool } from './origin.ts';

/** The value of a field in a table: text, a mark, or advice with its commands. */
type Cell = string | boolean | readonly string[];

/**
 * A fact as the tables hold it, with conditions and weights in the words of the reference page. Besides its kind (default: text),
 * when a difference counts (default: always), its weight and what it is, it has, in any order:
 * - `all`, `unix`, `linux`, `macos`, `windows`: where it is read on these systems; a {@link FactSource} begins with `@`, and
 *   `=` precedes its choices or the part that is used;
 * - `limit`, `git`, `variable`, `program`, `setting`: the same, with the common fields of such facts;
 * - `repair`, or `true` and `false` for a flag: the advice, or a list of the advice and the commands;
 * - `of`: the ecosystems whose projects have the setting; any other field of a row by its name. `always` before a weight: the
 *   weight does not depend on whether the difference counts.
 */
interface FactCells {
  readonly what: string;
  readonly kind?: string;
  readonly counts?: string;
  readonly weight: string;
  readonly [field: string]: Cell | undefined;
}

/** The rows of a table, by their names in `metadata.facts`. */
export function factTable(table: Readonly<Record<string, FactCells>>): Readonly<Record<string, FactRow>> {
  return Object.fromEntries(Object.entries(table).map(([name, cells]) => [name, rowOf(cells)]));
}

const nowhere: FactOrigin = { linux: null, macos: null, windows: null };

function rowOf({ kind = 'text', what, counts = '', weight, ...more }: FactCells): FactRow {
  const row = {
    kind,
    what,
    counts: countsOf(counts),
    weight: weightOf(weight),
    weightText: weight.replace(/^always /, ''),
    read: nowhere,
  } as FactRow;
  for (const [name, cell = ''] of Object.entries(more)) {
    const [text, ...commands] = [cell].flat();
    Object.assign(row, attributes[name]?.(String(text), row, commands as string[]) ?? { [name]: cell });
  }
  return row;
}

const settingOnly = { reveals: 'The setting, and nothing else from the configuration.' };
const addresses = {
  reveals: 'Host and path of the addresses, never a user, password or token.',
  namesHosts: true,
} as const;
const ecosystemsOf: { readonly [Tool in SettingsTool]?: readonly Ecosystem[] } = {
  npm: ['npm'],
  yarn: ['npm'],
  pip: ['pypi', 'conda'],
  go: ['go'],
  gradle: ['maven'],
  bundler: ['rubygems'],
};

type Attribute = (value: string, row: FactRow, commands: readonly string[]) => Partial<FactRow>;
const attributes: Readonly<Record<string, Attribute>> = {
  all: (way) => ({ read: readOn(nowhere, way, 'linux', 'macos', 'windows') }),
  unix: (way, { read }) => ({ read: readOn(read, way, 'linux', 'macos') }),
  linux: (way, { read }) => ({ read: readOn(read, way, 'linux') }),
  macos: (way, { read }) => ({ read: readOn(read, way, 'macos') }),
  windows: (way, { read }) => ({ read: readOn(read, way, 'windows') }),
  limit: (value) => {
    const [, limit = '', line = ''] = /^(\w+) (.*)$/.exec(value) ?? [];
    const read = readOn(nowhere, `@limit ${line}`, 'linux', 'macos');
    return { read, apply: { by: 'limit', limit }, inert: true } as Partial<FactRow>;
  },
  git: (key, { kind }) => ({
    read: readAnywhere(`@setting git ${key}${kind === 'text' ? ' = lower case' : ''}`),
    apply: { by: 'git-config', key },
    ...settingOnly,
  }),
  variable: (name) => ({ read: readAnywhere(`@variable ${name}`), apply: { by: 'variable', name } }),
  program: (name) => ({
    read: readAnywhere(`@program ${name}`),
    unset: 'none',
    family: 'basic tools',
    repair: repairOf(
      `put the ${name} of {value} first on the search path, or write scripts that work with both,`,
    ),
  }),
  setting: (value) => ({
    read: readAnywhere(`@setting ${value}`),
    ecosystems: ecosystemsOf[value.split(' ', 1)[0] as SettingsTool] ?? [],
    ...(value.endsWith(' = address') ? addresses : settingOnly),
  }),
  of: (ecosystems) => ({ ecosystems: wordsOf(ecosystems) as Ecosystem[], ...settingOnly }),
  ecosystems: (ecosystems) => ({ ecosystems: wordsOf(ecosystems) as Ecosystem[] }),
  settingOnly: () => settingOnly,
  addresses: () => addresses,
  apply: (value) => {
    const [by, ...names] = wordsOf(value);
    const named = by === 'variable' ? { name: names[0] } : by === 'variables' && { names };
    return { apply: { by, ...named } } as Partial<FactRow>;
  },
  repair: (what, _, commands) => ({ repair: repairOf(what, commands) }),
  true: (what, { repair }, commands) => ({ repair: { ...repair, true: repairOf(what, commands) } }),
  false: (what, { repair }, commands) => ({ repair: { ...repair, false: repairOf(what, commands) } }),
};

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');

function repairOf(what: string, commands: readonly string[] = []): FactRepair {
  return { kind: 'configure', what, ...(commands.length > 0 && { commands }) };
}

function readOn(read: FactOrigin, way: string, ...systems: readonly (keyof FactOrigin)[]): FactOrigin {
  return { ...read, ...Object.fromEntries(systems.map((system) => [system, sourceOfText(way)])) };
}

function readAnywhere(way: string): FactOrigin {
  return readOn(nowhere, way, 'linux', 'macos', 'windows');
}

type Words = readonly string[];
const choices = (text: string | undefined) => text !== undefined && { choices: text.split(' ') };
const place = ([of]: Words) => ({ place: of });
const sources: {
  readonly [From in FactSource['from']]: (words: Words, behind: string | undefined) => object;
} = {
  sysctl: ([path], names) => ({ path, ...choices(names) }),
  file: ([path], names) => ({ path, ...choices(names) }),
  lines: ([path]) => ({ path }),
  status: ([line], names) => ({ line, ...choices(names) }),
  limit: ([bound, ...line]) => ({ bound, line: line.join(' ') }),
  variable: (names) => ({ names }),
  cgroup: ([controller]) => ({ controller }),
  setting: ([of, ...names], take) => ({ of, names, ...(take && { take }) }),
  registry: ([name, ...keys]) => ({ name, keys }),
  mount: ([of, option]) => ({ place: of, ...(option && { option }) }),
  access: place,
  space: place,
  path: place,
  program: ([name]) => ({ name }),
};

function sourceOfText(text: string): FactWay {
  const [, from, words = '', behind] = /^@(\w+) (.*?)(?: = (.*))?$/.exec(text) ?? [];
  if (from === undefined) return text;
  return { from, ...sources[from as FactSource['from']](wordsOf(words), behind) } as FactSource;
}

function countsOf(text: string): FactRow['counts'] {
  if (text === '' || text === 'never') return text || 'always';
  const names = Object.keys(conditionTexts) as (keyof typeof conditionTexts)[];
  const when = names.find((name) => `${text} `.startsWith(`${name} `));
  if (when === undefined) throw new Error(`“${text}” is not a condition of a fact`);
  return { when, words: wordsOf(text.slice(when.length)) };
}

function weightOf(text: string): FactWeight {
  const cases = text.split('; ').map(caseOf);
  return / if |^always /.test(text) ? cases : (cases[0] as WeightCase & { weight: string }).weight;
}

const plainCases: Readonly<Record<string, Partial<WeightCase>>> = {
  'B has as much': { enough: true },
  'it counts': { counted: true },
  'it does not count': { counted: false },
  'it is a major version apart': { distance: 'major' },
  'one side has none': { oneSide: true },
  'one side is in UTC': { utc: true },
};
const namedCases = { 'A has': 'a', 'B has': 'b', 'the project uses': 'uses' } as const;

/** `70 if A has false and it counts`, `else possible`. */
function caseOf(text: string): WeightCase {
  const [weight = '', when] = text.replace(/^(?:else|always) /, '').split(' if ');
  const conditions = (when?.split(' and ') ?? []).map((condition) => {
    if (plainCases[condition]) return plainCases[condition];
    const [, subject = '', named = ''] = /^(A has|B has|the project uses) (.*)$/.exec(condition) ?? [];
    const field = namedCases[subject as keyof typeof namedCases];
    const items = named.split(/, | or /);
    return { [field]: field === 'uses' || items.length > 1 ? items : named };
  });
  const size = /^\d+$/.test(weight) ? Number(weight) : weight;
  return Object.assign({}, ...conditions, { weight: size }) as WeightCase;
}
