// Reads the tables of facts.

import { tableRows } from '../../text/table-rows.ts';
import type { Ecosystem } from '../ecosystem.ts';
import { conditionTexts, type FactRepair, type FactRow, type FactWeight, type WeightCase } from './fact.ts';
import type { FactOrigin, FactSource, FactWay, SettingsTool } from './origin.ts';

/**
 * A table of facts, one row per fact: its name, its kind and unit (default: text), what unset means, when a difference counts
 * (default: always; a condition with its words), its weight in the words of the reference page, and what it is. Then, in any
 * order:
 * - `all:`, `unix:`, `linux:`, `macos:`, `windows:`: where it is read on these systems; a {@link FactSource} begins with `@`, and
 *   `=` precedes its choices or the part that is used;
 * - `limit:`, `git:`, `variable:`, `program:`, `setting:`: the same, with the common fields of such facts;
 * - `repair:`, or `true:` and `false:` for a flag: the advice and the commands, each after ` ~ ` (`¦` is a pipe);
 * - `of:` the ecosystems whose projects have the setting; any other field of a row by its name. `always` before a weight: the
 *   weight does not depend on whether the difference counts.
 */
export function factTable(table: string): Readonly<Record<string, FactRow>> {
  return Object.fromEntries(tableRows(table).map((cells) => [cells[0], rowOf(cells)]));
}

const nowhere: FactOrigin = { linux: null, macos: null, windows: null };
const kinds = new Set(['text', 'flag', 'version', 'number', 'limit', 'set', 'list', 'digest']);

function rowOf([
  ,
  kindAndUnit = '',
  unset = '',
  counts = '',
  weight = '',
  what = '',
  ...more
]: string[]): FactRow {
  const words = wordsOf(kindAndUnit);
  const [kind = 'text', unit] = kinds.has(words[0] ?? '') ? words : ['text', ...words];
  const row = {
    ...{
      kind,
      what,
      counts: countsOf(counts),
      weight: weightOf(weight),
      weightText: weight.replace(/^always /, ''),
    },
    ...(unit && { unit }),
    ...(unset && { unset }),
    read: nowhere,
  } as FactRow;
  for (const cell of more) {
    const [, name = cell, value = ''] = /^([a-z]+): (.*)$/i.exec(cell) ?? [];
    Object.assign(row, attributes[name]?.(value, row) ?? { [name]: value || true });
  }
  return row;
}

const settingOnly = { reveals: 'The setting, nothing else of the configuration.' };
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

type Attribute = (value: string, row: FactRow) => Partial<FactRow>;
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
      `put the ${name} of {value} first on the search path, or write scripts that both understand,`,
    ),
  }),
  setting: (value) => ({
    read: readAnywhere(`@setting ${value}`),
    ecosystems: ecosystemsOf[value.split(' ', 1)[0] as SettingsTool] ?? [],
    ...(value.endsWith(' = address') ? addresses : settingOnly),
  }),
  of: (ecosystems) => ({ ecosystems: wordsOf(ecosystems) as Ecosystem[], ...settingOnly }),
  ecosystems: (ecosystems) => ({ ecosystems: wordsOf(ecosystems) as Ecosystem[] }),
  'setting only': () => settingOnly,
  addresses: () => addresses,
  apply: (value) => {
    const [by, ...names] = wordsOf(value);
    const named = by === 'variable' ? { name: names[0] } : by === 'variables' && { names };
    return { apply: { by, ...named } } as Partial<FactRow>;
  },
  repair: (text) => ({ repair: repairOf(text) }),
  true: (text, { repair }) => ({ repair: { ...repair, true: repairOf(text) } }),
  false: (text, { repair }) => ({ repair: { ...repair, false: repairOf(text) } }),
};

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');

function repairOf(text: string): FactRepair {
  const [what = '', ...commands] = text.split(' ~ ');
  const typed = commands.map((command) => command.replaceAll('¦', '|'));
  return { kind: 'configure', what, ...(typed.length > 0 && { commands: typed }) };
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
