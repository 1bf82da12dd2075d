// Compares the changes of two work trees against their commits.

import type { StringMap } from '@envsnap/shared/plain-object';
import { counted } from '@envsnap/shared/text/size';
import { gitPathWord, visible, wordsOnly } from '@envsnap/shared/text/visible';
import { type Repair, repairStep } from '../causes/repair.ts';
import type { SideNames } from '../causes/side-names.ts';
import { dotenvPlace } from '../environment/dotenv-variable.ts';
import { type Environment, environmentOf } from '../environment/environment.ts';
import states from './checkout-states.json' with { type: 'json' };
import type { ComparableEnvironment, Entry } from './model.ts';
import { own, walk } from './walk.ts';

type CheckoutSubject = keyof typeof states.subjects | 'changed';

const asCommitted = 'as committed';

/** Splits `changed/src/index.js` into its subject and the rest. */
export function checkoutPlace(key: string): { readonly subject: CheckoutSubject; readonly name: string } {
  const slash = key.indexOf('/');
  return {
    subject: (slash < 0 ? key : key.slice(0, slash)) as CheckoutSubject,
    name: slash < 0 ? '' : key.slice(slash + 1),
  };
}

export function differingSide({ b }: Pick<Entry, 'b'>): 'a' | 'b' {
  return b === asCommitted || b === 'no' || b === 'built' || b === 'none' ? 'a' : 'b';
}

/** Files that git ignores differ on every machine, so they are compared only while a failure is being explained. */
export function compareCheckouts(a: Environment, b: Environment, explains: boolean): Entry[] {
  const [left, right] = [a.checkout, b.checkout];
  if (left === undefined || right === undefined) return [];
  const isSame = (x: string | undefined, y: string | undefined) => x !== undefined && x === y;
  const [sameCommit, sameBranch] = [isSame(a.commit, b.commit), isSame(a.branch, b.branch)];
  // A folder without a repository has no tracked files.
  const isTracked = a.repository.isRead && b.repository.isRead;
  // Their variables are compared.
  const dotenv = new Set(
    [a, b].flatMap(({ variables }) => Object.keys(variables).map((key) => dotenvPlace(key)?.file)),
  );
  const read = (values: Readonly<StringMap>, key: string) => {
    const { subject, name } = checkoutPlace(key);
    if (subject === 'ignored') {
      const { namesIgnored } = (values === left ? a : b).repository;
      if (!explains || dotenv.has(name)) return undefined;
      return own(values, key) ?? (namesIgnored ? 'none' : undefined);
    }
    if (!isTracked && subject !== 'output' && subject !== 'above') return undefined;
    return own(values, key) ?? missingStateOf(subject);
  };
  const entries = walk('checkout', [left, right], read, (key, valueA, valueB) =>
    valueA === valueB ? {} : relevance({ key, a: valueA, b: valueB }, sameCommit, sameBranch),
  );
  if (a.repository.isPresent === b.repository.isPresent) return entries;
  const [stateA, stateB] = [a, b].map(({ repository }) => (repository.isPresent ? 'present' : 'none'));
  const repository: Entry = {
    section: 'checkout',
    key: 'repository',
    status: 'changed',
    a: stateA as string,
    b: stateB as string,
    distance: null,
    mild: 'only tools that ask git need it',
  };
  return [repository, ...entries];
}

function missingStateOf(subject: CheckoutSubject): string | undefined {
  if (['commit', 'branch', 'tags', 'untracked'].includes(subject)) return undefined;
  if (subject === 'output') return 'built';
  if (subject === 'above' || subject === 'operation') return 'none';
  return subject === 'sparse' || subject === 'shallow' ? 'no' : asCommitted;
}

/** Kinds of change that people make deliberately while they work. */
const workInProgress = new Set(['content', 'added', 'not tracked']);

function relevance(
  { key, a, b }: Pick<Entry, 'key' | 'a' | 'b'>,
  sameCommit: boolean,
  sameBranch: boolean,
): Pick<Entry, 'context' | 'contextReason' | 'mild'> {
  const { subject } = checkoutPlace(key);
  const { context, mild } = wrongs.subjects[subject] ?? {};
  const usual = context ? { context: true as const, contextReason: context } : mild ? { mild } : {};
  switch (subject) {
    case 'commit':
      return sameBranch ? { mild: 'a different commit of the same branch' } : usual;
    case 'changed':
      if (!sameCommit) return { mild: 'the commits differ too' };
      return [a, b].every((value) => value === asCommitted || workInProgress.has(value ?? ''))
        ? { mild: 'work that is not committed' }
        : {};
    case 'above':
      if (checkoutPlace(key).name === 'node_modules') return { mild: 'used only where a package is missing' };
      return /prettier|eslint|editorconfig/.test(key)
        ? { mild: 'only programs that check style read it' }
        : {};
    case 'submodule':
      return a === 'changed' || b === 'changed' ? { mild: 'work that is not committed' } : {};
    default:
      return usual;
  }
}

/** One machine's differences from the commit, by key: a sentence without its full stop, the advice (null if only a
 * person can decide), and whether a comparison would count it. Uncommitted work never counts. */
export function checkoutFindings(snapshot: ComparableEnvironment) {
  const { checkout = {} } = environmentOf(snapshot);
  return Object.entries(checkout)
    .filter(([key]) => (key.includes('/') && !key.startsWith('ignored/')) || key === 'changed')
    .map(([key, value]) => {
      const repair = checkoutRepair(key, value);
      return {
        key,
        value,
        message: checkoutMessage(key, value),
        advice: repair ? repairStep(repair) : null,
        commands: repair?.commands ?? [],
        counts: countsAlone(key, value),
      };
    });
}

export type CheckoutFinding = ReturnType<typeof checkoutFindings>[number];

function countsAlone(key: string, value: string): boolean {
  const { subject, name } = checkoutPlace(key);
  if (name === '' || subject === 'above') return false;
  const { mild, context } = relevance({ key, a: asCommitted, b: value }, true, true);
  return mild === undefined && context === undefined;
}

type Wrong = Partial<Readonly<Record<'says' | 'run' | 'todo' | 'what' | 'context' | 'mild', string>>>;

/** The problem at a place of these subjects, and with a tracked file in these states. The repair of a missing file reverts staged
 * changes only if reverting the work tree is not enough; that of an interrupted checkout changes no file that exists. */
const wrongs: { readonly [kind in keyof typeof states]: Readonly<Record<string, Wrong>> } = states;

function wrongStateOf(key: string, value: string): Wrong | undefined {
  const { subject } = checkoutPlace(key);
  return wrongs.subjects[subject] ?? wrongs.states[value];
}

function filled(text: string, key: string, value: string, at = ''): string {
  const { name } = checkoutPlace(key);
  const parts: Readonly<Record<string, string>> = {
    name,
    value,
    at: at && ` ${at}`,
    of: value === 'present' ? '' : ` of ${value}`,
    word: wordsOnly(name),
    file: gitPathWord(name),
  };
  return text.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
}

function checkoutMessage(key: string, value: string, at = ''): string {
  const { says = '{name} is changed{at} and not committed' } = wrongStateOf(key, value) ?? {};
  const isCounted = checkoutPlace(key).name === '' && key === 'changed';
  return filled(isCounted ? '{value} more tracked files differ from the commit{at}' : says, key, value, at);
}

export function checkoutText(entry: Entry, names: SideNames): string {
  const { subject, name } = checkoutPlace(entry.key);
  const side = differingSide(entry);
  const lacking = entry.a === 'none' ? 'a' : 'b';
  switch (subject) {
    case 'commit':
      return `the commit is ${short(entry.a)} ${names.a.at}, ${short(entry.b)} ${names.b.at}`;
    case 'branch':
      return `the branch is ${entry.a} ${names.a.at}, ${entry.b} ${names.b.at}`;
    case 'untracked':
      return `${counted(Number(entry.a), 'untracked file')} ${names.a.at}, ${entry.b} ${names.b.at}`;
    case 'ignored':
      return entry.a === 'none' || entry.b === 'none'
        ? `${name}, which git ignores, is missing ${names[lacking].at}`
        : `${name}, which git ignores, is ${entry.a} ${names.a.at}, ${entry.b} ${names.b.at}`;
    case 'repository':
    case 'tags':
      return checkoutMessage(entry.key, '', names[lacking].at);
    default:
      return checkoutMessage(entry.key, entry[side] ?? '', names[side].at);
  }
}

export function moreFiles(entries: readonly Entry[]): string {
  const files = entries.reduce(
    (sum, entry) => sum + (entry.key === 'changed' ? Number(entry[differingSide(entry)]) || 1 : 1),
    0,
  );
  return files > 0 ? `, and ${files} more` : '';
}

function short(commit: string | null): string {
  return (commit ?? 'unknown').slice(0, 8);
}

export function checkoutRepair(key: string, value: string): Omit<Repair, 'side'> | undefined {
  const { subject, name } = checkoutPlace(key);
  const { run, todo, what = `restore ${wordsOnly(name)}` } = wrongStateOf(key, value) ?? {};
  if (todo !== undefined)
    return { kind: 'configure', what: filled(todo.replaceAll('{name}', '{word}'), key, value), commands: [] };
  if (run === undefined || (subject === 'submodule' && value === 'changed')) return undefined;
  // A name that has to be escaped would name another file.
  const isShown = visible(name) === name && !name.includes('\ufffd');
  const commands = !isShown ? [] : [filled(run, key, value)];
  return { kind: 'restore', what, commands };
}
