// Differences in facts that a command can be given, with the appliers in the catalogue of facts.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ComparableEnvironment } from '@envsnap/compare/workspace';
import { type Environment, environmentOf, searchWeight } from '@envsnap/compare/workspace';
import { printAddress } from '@envsnap/shared/address';
import {
  type FactApplier,
  type FactRow,
  type FactValue,
  withScheme,
} from '@envsnap/shared/catalogue/facts/fact';
import { factCatalogue } from '@envsnap/shared/catalogue/facts/fact-catalogue';
import { originText } from '@envsnap/shared/catalogue/facts/origin';
import { systemFactCatalogue } from '@envsnap/shared/catalogue/facts/system';
import { codeRisk } from '@envsnap/shared/catalogue/variables/code-variables';
import type { Change, PlanDraft, PlanInput, Side } from './bisect-change.ts';
import {
  findProgram,
  invocationOf,
  newSetting,
  parseProcessorList,
  type RunSetting,
} from './bisect-setting.ts';

type Known = string | readonly string[] | undefined;

interface FactDifference {
  readonly id: string;
  readonly section: 'facts' | 'system';
  readonly name: string;
  readonly row: FactRow;
  readonly values: Readonly<Record<Side, Known>>;
  /** Whether the capture of a side lacks the fact, so that its default applies. */
  readonly isDefault: Readonly<Record<Side, boolean>>;
  /** Whether a side has this machine's value, so that settings and variables need no change. */
  readonly isHere: Readonly<Record<Side, boolean>>;
}

/** Adds the facts that differ and can be applied; names those that cannot, with the reason. */
export async function factChanges(draft: PlanDraft, input: PlanInput): Promise<void> {
  for (const difference of differencesOf(input)) {
    const { row, id } = difference;
    if (!row.apply || isTakenUp(draft, row.apply)) continue;
    const apply = await applierOf(row.apply, difference, input);
    if (typeof apply === 'string') draft.notTried.push({ key: id, reason: apply });
    else if (apply) {
      const { section, name, values } = difference;
      const sides = { a: String(values.a), b: String(values.b) };
      const weight = searchWeight({ section, key: name, ...sides }, draft.needs);
      const group = row.apply.by === 'git-config' ? 'git' : row.apply.by === 'home' ? 'home' : id;
      const texts = { a: textOf(difference, 'a'), b: textOf(difference, 'b') };
      const risk = riskOf(difference);
      draft.changes.push({
        id,
        section,
        name,
        group,
        weight,
        texts,
        ...(risk !== undefined && { risk }),
        apply,
      });
    }
  }
}

function riskOf({ row, values, isHere }: FactDifference): string | undefined {
  const { apply } = row;
  if (apply?.by !== 'variable') return undefined;
  return givenSides(isHere)
    .map((side) => codeRisk(apply.name, String(values[side])))
    .find((risk) => risk !== undefined);
}

function differencesOf(input: PlanInput): FactDifference[] {
  const [a, b, local] = [environmentOf(input.a), environmentOf(input.b), environmentOf(input.local)];
  const found: FactDifference[] = [];
  const add = (
    section: 'facts' | 'system',
    name: string,
    row: FactRow,
    valueIn: (environment: Environment) => FactValue | undefined,
    isHeld = (_: Environment) => true,
  ) => {
    const [valueA, valueB, here] = [known(valueIn(a)), known(valueIn(b)), known(valueIn(local))];
    if (valueA === undefined || valueB === undefined || String(valueA) === String(valueB)) return;
    const id = printAddress({ section, name });
    const isDefault = { a: !isHeld(a), b: !isHeld(b) };
    const isHere = { a: String(valueA) === String(here), b: String(valueB) === String(here) };
    found.push({ id, section, name, row, values: { a: valueA, b: valueB }, isDefault, isHere });
  };
  for (const [name, row] of Object.entries<FactRow>(factCatalogue)) {
    if (!a.facts || !b.facts) break;
    const isHeld = ({ facts = {} }: Environment) => Object.hasOwn(facts, name);
    add('facts', name, row, (environment) => environment.fact(name), isHeld);
  }
  for (const [name, row] of Object.entries<FactRow>(systemFactCatalogue))
    if (row.apply) add('system', name, row, ({ system }) => system[name]);
  return found;
}

function givenSides(isHere: FactDifference['isHere']): Side[] {
  return (['a', 'b'] as const).filter((side) => !isHere[side]);
}

function known(value: FactValue | undefined): Known {
  return value === undefined || typeof value === 'object' ? value : String(value);
}

/** The variables that set a value. For the locale, each sets one part. */
export function variablesOf(applier: FactApplier | undefined): readonly string[] {
  if (applier?.by !== 'variable') return [];
  return applier.name === 'LC_ALL' ? ['LC_ALL', 'LC_CTYPE', 'LANG'] : [applier.name];
}

/** Another change sets the same variable already. */
function isTakenUp({ changes, notTried }: PlanDraft, applier: FactApplier): boolean {
  const taken = [...changes.map(({ id }) => id), ...notTried.map(({ key }) => key)];
  return variablesOf(applier).some((name) => taken.includes(printAddress({ section: 'env', name })));
}

function textOf({ name, row, values, isDefault, section }: FactDifference, side: Side): string {
  const value = values[side];
  const text = Array.isArray(value) ? value.join(' ') : String(value);
  if (row.apply?.by === 'variable' && section === 'system') return `${row.apply.name}=${text}`;
  if (row.apply?.by !== 'variables') return `${name} ${text}`;
  if (!isDefault[side] && text !== '') return text;
  const others = values[side === 'a' ? 'b' : 'a'];
  const names = Array.isArray(others) ? others.map((entry) => entry.replace(/=.*$/s, '')) : [name];
  return `no ${names.join(' and no ')}`;
}

type Apply = Change['apply'];

async function applierOf(
  applier: FactApplier,
  difference: FactDifference,
  input: PlanInput,
): Promise<Apply | string | undefined> {
  const { values, isDefault } = difference;
  const text = (side: Side): string => String(values[side]);
  switch (applier.by) {
    case 'limit':
      if (isHardLimit(difference.name)) return 'bisect does not change hard limits';
      return feasible((setting, side) => void setting.limits.set(applier.limit, text(side)), input);
    case 'umask':
      return feasible((setting, side) => {
        setting.umask = text(side).padStart(4, '0');
      }, input);
    case 'processors':
      return processorsApplier(values, input);
    case 'aslr':
      return aslrApplier(values, input);
    case 'home':
      return homeApplier(difference, input);
    case 'git-config':
      return gitApplier(applier.key, difference);
    case 'variables':
      return ({ env }, side) => {
        for (const name of applier.names) delete env[name];
        const entries = values[side];
        for (const entry of Array.isArray(entries) && !isDefault[side] ? entries : []) {
          const equals = entry.indexOf('=');
          const name = entry.slice(0, equals);
          if (applier.names.includes(name)) env[name] = entry.slice(equals + 1);
        }
      };
    case 'variable':
      return variableApplier(applier.name, difference, input);
  }
}

/** Git accepts the defaults in the catalogue as values, except for flags that are neither on nor off. */
function gitApplier(key: string, { row, values, isDefault, isHere }: FactDifference): Apply | string {
  const isUnset = (side: Side) =>
    isDefault[side] && row.kind === 'flag' && !/^(?:true|false)$/.test(String(values[side]));
  if (givenSides(isHere).some(isUnset)) return 'git cannot unset it';
  return ({ git }, side) => {
    if (!isHere[side]) git.set(key, String(values[side]));
  };
}

/** Defaults in the catalogue that tools accept as values. All others (`none`, `host`) are words for readers. */
const defaultValue = /^(?:true|false|[^\s.]+\.\S+)$/;

function variableApplier(
  name: string,
  { row, values, isDefault, isHere, section }: FactDifference,
  { env: here }: PlanInput,
): Apply | string {
  const isOfVariable = originText(row.read, 'linux') === `variable ${name}`;
  const isUnset = (side: Side) =>
    isDefault[side] && (isOfVariable || !defaultValue.test(String(values[side])));
  for (const side of givenSides(isHere)) {
    if (section === 'system' && name === 'LC_ALL' && !isLocaleHere(String(values[side])))
      return `the locale ${values[side]} is not installed here`;
    if (isUnset(side) && here[name] === undefined)
      return 'a file on this machine sets it, and no variable overrides that';
    if (isOfVariable && row.kind === 'flag' && !isDefault[side])
      return 'the snapshot says that it is set, but not to which value';
  }
  return ({ env }, side) => {
    if (isHere[side]) return;
    const value = String(values[side]);
    if (isUnset(side)) delete env[name];
    else env[name] = withScheme(name, value);
  };
}

let localesHere: ReadonlySet<string> | undefined;

function isLocaleHere(locale: string): boolean {
  const plain = (name: string) => name.toLowerCase().replaceAll('-', '');
  const installed = () => spawnSync('locale', ['-a'], { encoding: 'utf8', timeout: 5000 }).stdout ?? '';
  localesHere ??= new Set(['C', 'POSIX', ...installed().split('\n')].map(plain));
  return localesHere.has(plain(locale));
}

/** Runs `true` with a setting to find out whether this account may use it (such as a limit above the hard one). */
function feasible(apply: Apply, { env }: PlanInput): Apply | string {
  if (process.platform === 'win32') return 'Windows has no such limit';
  for (const side of ['a', 'b'] as const) {
    const setting = newSetting(env);
    apply(setting, side);
    const { file, args } = invocationOf(setting, ['true'], undefined);
    if (spawnSync(file, args, { env, timeout: 5000, stdio: 'ignore' }).status !== 0)
      return 'this account may not set it to that value';
  }
  return apply;
}

async function processorsApplier(
  values: FactDifference['values'],
  { env }: PlanInput,
): Promise<Apply | string> {
  if (!(await findProgram('taskset', env.PATH))) return 'taskset is not installed here';
  const allowed = allowedProcessors();
  const counts = { a: Number(values.a), b: Number(values.b) };
  if (Math.max(counts.a, counts.b) > allowed.length)
    return `only ${allowed.length} processors are available here`;
  return (setting, side) => {
    setting.processors = allowed.slice(0, counts[side]);
  };
}

function allowedProcessors(): number[] {
  try {
    const status = readFileSync('/proc/self/status', 'utf8');
    return parseProcessorList(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
  } catch {
    return [];
  }
}

async function aslrApplier(values: FactDifference['values'], { env }: PlanInput): Promise<Apply | string> {
  if (values.a !== 'off' && values.b !== 'off') return 'bisect can only switch it off';
  if (!(await findProgram('setarch', env.PATH))) return 'setarch is not installed here';
  return (setting: RunSetting, side) => {
    setting.fixedAddresses = values[side] === 'off';
  };
}

/** If the home folder must differ from the user's, a fresh one is needed, with or without a space in its path. */
function homeApplier({ name, values }: FactDifference, { local }: PlanInput): Apply | string {
  const trait = name.slice('home.'.length);
  if (trait === 'writable' && process.getuid?.() === 0) return 'the superuser can write everywhere';
  const here = String(known(environmentOf(local).fact(name)));
  return (setting, side) => {
    if (values[side] === here) return;
    setting.home ??= { blank: false, readOnly: false };
    if (trait === 'plainPath') setting.home.blank = values[side] === 'false';
    if (trait === 'writable') setting.home.readOnly = values[side] === 'false';
  };
}

/** This fact is how far the account may raise a limit, not the limit of programs. */
function isHardLimit(name: string): boolean {
  return name.endsWith('Hard');
}

/** The soft limits with which runs begin. Node.js raises its own, and its children would inherit it. */
export function localLimits(local: ComparableEnvironment, setting: RunSetting): void {
  if (process.platform === 'win32') return;
  const { facts = {} } = environmentOf(local);
  for (const [name, row] of Object.entries<FactRow>(factCatalogue)) {
    const value = facts[name];
    if (row.apply?.by !== 'limit' || row.apply.limit !== 'nofile' || isHardLimit(name)) continue;
    if (typeof value === 'number' || typeof value === 'string')
      setting.limits.set(row.apply.limit, String(value));
  }
}
