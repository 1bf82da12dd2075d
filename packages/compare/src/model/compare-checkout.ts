// Compares what two work trees hold beside their commits (`metadata.checkout`, `metadata.git`).

import { mergeKeys, sortedKeys, statusOf } from '@envsnap/shared/compare';
import { recordOf } from '@envsnap/shared/plain-object';
import { shellWord } from '@envsnap/shared/text/visible';
import type { ComparableEnvironment, Entry } from './model.ts';

/** What an entry is about; the part of its key before the first slash. */
const checkoutSubjects = [
  'above',
  'branch',
  'changed',
  'commit',
  'operation',
  'output',
  'pointer',
  'repository',
  'shallow',
  'sparse',
  'submodule',
  'tags',
  'untracked',
] as const;
export type CheckoutSubject = (typeof checkoutSubjects)[number];

/** What a side has where it has nothing to show. */
const asCommitted = 'as committed';

/** `changed/src/index.js` as its subject and what it names. */
export function checkoutPlace(key: string): { readonly subject: CheckoutSubject; readonly name: string } {
  const slash = key.indexOf('/');
  return {
    subject: (slash < 0 ? key : key.slice(0, slash)) as CheckoutSubject,
    name: slash < 0 ? '' : key.slice(slash + 1),
  };
}

/** The entries of both checkouts; none where a side was captured by an older program. */
export function compareCheckouts(a: ComparableEnvironment, b: ComparableEnvironment): Entry[] {
  const [left, right] = [checkoutOf(a), checkoutOf(b)];
  if (left === undefined || right === undefined) return [];
  const sameCommit = left.commit !== undefined && left.commit === right.commit;
  const sameBranch = left.branch !== undefined && left.branch === right.branch;
  // A folder without a repository says nothing about tracked files.
  const isTracked = [a, b].every(({ metadata }) => metadata?.checkout !== undefined);
  const entries: Entry[] = [];
  const [stateA, stateB] = [a, b].map(({ metadata }) => (metadata?.git === undefined ? 'none' : 'present'));
  if (stateA !== stateB)
    entries.push({
      ...{
        section: 'checkout',
        key: 'repository',
        status: 'changed',
        a: stateA ?? '',
        b: stateB ?? '',
        distance: null,
      },
      mild: 'only what asks git needs it',
    });
  mergeKeys(sortedKeys(left), sortedKeys(right), (key) => {
    const { subject } = checkoutPlace(key);
    if (!isTracked && subject !== 'output' && subject !== 'above') return;
    const [valueA, valueB] = [left[key] ?? unsaid(subject), right[key] ?? unsaid(subject)];
    if (valueA === undefined || valueB === undefined) return;
    const entry: Entry = {
      section: 'checkout',
      key,
      status: statusOf(true, true, valueA === valueB),
      a: valueA,
      b: valueB,
      distance: null,
    };
    entries.push(valueA === valueB ? entry : { ...entry, ...relevance(entry, sameCommit, sameBranch) });
  });
  return entries;
}

/** What it means where a checkout does not mention a subject; undefined where it says nothing. */
function unsaid(subject: CheckoutSubject): string | undefined {
  if (['commit', 'branch', 'tags', 'untracked'].includes(subject)) return undefined;
  if (subject === 'output') return 'built';
  if (subject === 'above' || subject === 'operation') return 'none';
  return subject === 'sparse' || subject === 'shallow' ? 'no' : asCommitted;
}

/** Kinds of change that people make on purpose while they work. */
const workInProgress = new Set(['content', 'added', 'not tracked']);

/** Everyday differences between two healthy clones do not count. */
function relevance(
  { key, a, b }: Entry,
  sameCommit: boolean,
  sameBranch: boolean,
): Pick<Entry, 'context' | 'contextReason' | 'mild'> {
  const context = (contextReason: string) => ({ context: true as const, contextReason });
  switch (checkoutPlace(key).subject) {
    case 'commit':
      return sameBranch ? { mild: 'another commit of the same branch' } : context('another commit');
    case 'branch':
      return context('another branch');
    case 'untracked':
      return context('untracked files come and go');
    case 'shallow':
      return context('only the history is shorter');
    case 'tags':
      return context('only what makes a version of tags needs them');
    case 'operation':
      return { mild: 'work that is not finished' };
    case 'changed':
      if (!sameCommit) return { mild: 'the commits differ too' };
      return [a, b].every((value) => value === asCommitted || workInProgress.has(value ?? ''))
        ? { mild: 'work that is not committed' }
        : {};
    case 'output':
      return { mild: 'a job may compare before it builds' };
    case 'above':
      if (checkoutPlace(key).name === 'node_modules') return { mild: 'used only where a package is missing' };
      return /prettier|eslint|editorconfig/.test(key)
        ? { mild: 'only programs that check style read it' }
        : {};
    case 'submodule':
      return a === 'changed' || b === 'changed' ? { mild: 'work that is not committed' } : {};
    default:
      return {};
  }
}

/** A checkout as flat text; undefined where nothing was read. */
function checkoutOf({ metadata }: ComparableEnvironment): Record<string, string> | undefined {
  // A folder outside of any repository has outputs and a place all the same.
  if (metadata?.checkout === undefined && recordOf(metadata?.project).root === undefined) return undefined;
  const { untracked, sparse, shallow, tags, operation } = recordOf(metadata?.checkout);
  const { commit, branch } = recordOf(metadata?.git);
  return Object.fromEntries([
    ...checkoutFindings({ metadata }).map(({ key, value }) => [key, value] as const),
    ...(typeof commit === 'string' ? [['commit', commit] as const] : []),
    ...(typeof branch === 'string' ? [['branch', branch] as const] : []),
    ...(typeof untracked === 'number' ? [['untracked', String(untracked)] as const] : []),
    ...(sparse === true ? [['sparse', 'yes'] as const] : []),
    ...(shallow === true ? [['shallow', 'yes'] as const] : []),
    ...(typeof tags === 'boolean' ? [['tags', tags ? 'present' : 'none'] as const] : []),
    ...(typeof operation === 'string' ? [['operation', operation] as const] : []),
  ]);
}

/** One thing in a work tree that differs from its commit. */
export interface CheckoutFinding {
  /** Key of the section `checkout`. */
  readonly key: string;
  /** How it differs, as the capture names it. */
  readonly value: string;
  /** A sentence without its full stop: `src/index.js is changed and not committed`. */
  readonly message: string;
  /** What to do about it; null where that is for the person to know. */
  readonly advice: string | null;
}

/** What one machine alone shows, by key. */
export function checkoutFindings({ metadata }: Pick<ComparableEnvironment, 'metadata'>): CheckoutFinding[] {
  const { changed, submodules, pointers } = recordOf(metadata?.checkout);
  const { outputs, above } = recordOf(metadata?.project);
  const { files: names } = recordOf(pointers);
  const named = (subject: CheckoutSubject, values: unknown): [string, string][] =>
    Object.entries(recordOf(values)).flatMap(([name, value]) =>
      typeof value === 'string' ? [[`${subject}/${name}`, value]] : [],
    );
  const { count, files } = recordOf(changed);
  const left = typeof count === 'number' ? count - Object.keys(recordOf(files)).length : 0;
  const found: [string, string][] = [
    ...named('changed', files),
    ...named('submodule', submodules),
    ...named('output', outputs),
    ...named('above', above),
    ...(Array.isArray(names) ? names : []).flatMap((name): [string, string][] =>
      typeof name === 'string' ? [[`pointer/${name}`, 'not fetched']] : [],
    ),
    ...(left > 0 ? [['changed', String(left)] as [string, string]] : []),
  ];
  return found.map(([key, value]) => ({ key, value, ...checkoutSentence(key, value) }));
}

/** What is wrong at a place of a checkout, and what to do. `at`: `on vm`, or empty in the report of one machine. */
export function checkoutSentence(
  key: string,
  value: string,
  at = '',
): Pick<CheckoutFinding, 'message' | 'advice'> {
  const { subject, name } = checkoutPlace(key);
  const here = at === '' ? '' : ` ${at}`;
  if (subject === 'submodule')
    return {
      message: `the submodule ${name} is ${value}${here}`,
      advice: value === 'changed' ? null : `run “git submodule update --init --recursive”${here}`,
    };
  if (subject === 'output')
    return { message: `${name} is ${value}${here}`, advice: `build the project${here}` };
  if (subject === 'above')
    return {
      message: `a folder above the project has ${name}${value === 'present' ? '' : ` of ${value}`}${here}, which its tools pick up`,
      advice: `move ${name} away${here}, or the project`,
    };
  if (subject === 'pointer')
    return {
      message: `${name} is a pointer of Git LFS${here}: its content was never fetched`,
      advice: `run “git lfs pull”${here}`,
    };
  if (name === '')
    return { message: `${value} more tracked files differ from the commit${here}`, advice: null };
  const restore = (options = '') => `run “git restore ${options}-- ${shellWord(name)}”${here}`;
  // Not at once: it takes staged edits back too.
  const restoreStaged = `${restore()}; if that is staged, add “--staged --worktree”`;
  switch (value) {
    case 'added':
      return { message: `${name} is new${here} and not committed`, advice: null };
    case 'overlooked':
      return {
        message: `${name} is changed${here}, which git was told to overlook`,
        advice: `run “git update-index --no-skip-worktree --no-assume-unchanged -- ${shellWord(name)}”${here}`,
      };
    case 'in conflict':
      return { message: `${name} is in conflict${here}`, advice: `finish the merge${here}` };
    case 'missing':
      return {
        message: `${name} is missing${here}, though the commit has it`,
        advice: restoreStaged,
      };
    case 'not tracked':
      return {
        message: `${name} is not tracked any more${here}, though the commit has it`,
        advice: restore('--staged '),
      };
    case 'line ends':
      return { message: `${name} has other line ends${here} than the commit`, advice: restore() };
    case 'executable bit':
      return {
        message: `${name} has another executable bit${here} than the commit`,
        advice: restoreStaged,
      };
    case 'not a link':
      return { message: `${name} is an ordinary file${here}, and a link in the commit`, advice: restore() };
    case 'name in another Unicode form':
      return {
        message: `the name of ${name} is in another Unicode form${here} than in the commit`,
        advice: `rename it${here} to the form of the commit (NFC or NFD)`,
      };
    default:
      return { message: `${name} is changed${here} and not committed`, advice: null };
  }
}
