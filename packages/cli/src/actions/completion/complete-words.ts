// What can stand where the cursor is: commands, flags and values, from the manifest. Pure; what only a server or the
// profiles know is named, not looked up.

import { sectionNames } from '@envsnap/shared/address';
import { distances } from '@envsnap/versions';
import type { Command } from '@oclif/core/command';

export interface Suggestion {
  readonly text: string;
  readonly description: string;
}

/** What has to be looked up: names of profiles, ids or machines of the project, or sides of a comparison. */
export type LookedUp =
  | 'profiles'
  | 'machines'
  | 'snapshots'
  | 'files'
  | 'references'
  | 'members'
  | 'keys'
  | 'webhooks'
  | 'projects';

export interface Completion {
  readonly candidates: readonly Suggestion[];
  /** Put in front of what is looked up, e.g. `--profile=`. */
  readonly prefix: string;
  /** What was typed of the value; looked-up names must begin with it. */
  readonly typed: string;
  readonly lookUp?: LookedUp;
  /** Whether names of files fit too. */
  readonly paths: boolean;
}

interface Topics {
  readonly name: string;
  readonly description?: string | undefined;
}

const flagsLookedUp: Readonly<Record<string, LookedUp>> = {
  profile: 'profiles',
  machine: 'machines',
  'machine-name': 'machines',
  passed: 'references',
  failed: 'references',
  project: 'projects',
};
const argumentsLookedUp: Readonly<Record<string, LookedUp>> = {
  'profile:use': 'profiles',
  'profile:remove': 'profiles',
  'snapshot:show': 'snapshots',
  'snapshot:delete': 'snapshots',
  'snapshot:export': 'snapshots',
  'file:download': 'files',
  'file:delete': 'files',
  'team:role': 'members',
  'team:remove': 'members',
  'key:revoke': 'keys',
  'webhook:show': 'webhooks',
  'webhook:update': 'webhooks',
  'webhook:delete': 'webhooks',
  'webhook:test': 'webhooks',
  'webhook:redeliver': 'webhooks',
  'project:show': 'projects',
  'project:update': 'projects',
  'project:delete': 'projects',
  matrix: 'machines',
  compare: 'references',
  bisect: 'references',
};
/** Arguments that only the user knows: offering files would mislead. */
const freeText = /^(?:name|url|key|delivery)$/;
const pathFlags = /^(?:dir|policy|output)$/;
/** Names of systems and architectures as captures spell them. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  os: ['darwin', 'linux', 'win32'],
  arch: ['arm64', 'x64'],
};
const namesDifferences = /^(?:only|ignore)$/;

/** Completes the last of `words`, which follow the program's name; it may be empty. */
export function completeWords(
  commands: readonly Command.Loadable[],
  topics: readonly Topics[],
  words: readonly string[],
): Completion {
  const typed = words.at(-1) ?? '';
  const { command, depth } = commandOf(commands, words.slice(0, -1));
  const before = words.slice(depth, -1);
  if (!command) return completeCommand(commands, topics, words.slice(0, -1), typed);
  const flags = Object.values(command.flags).filter((flag) => !flag.hidden);
  const inline = /^(--[\w-]+)=(.*)$/s.exec(typed);
  if (inline) {
    const flag = flags.find(({ name }) => `--${name}` === inline[1]);
    return flag?.type === 'option' ? completeValue(flag, inline[2] ?? '', `${inline[1]}=`) : none(typed);
  }
  const open = before.at(-1) ?? '';
  const opened = flags.find(({ name, char }) => open === `--${name}` || (char && open === `-${char}`));
  if (opened?.type === 'option') return completeValue(opened, typed, '');
  if (typed.startsWith('-')) {
    const offered = flags.flatMap(({ name, summary = '' }) => ({ text: `--${name}`, description: summary }));
    return matching([...offered, { text: '--help', description: 'Show help.' }], typed);
  }
  return completeArgument(commands, topics, command, before, typed, words.slice(0, -1));
}

/** The longest run of leading words that names a command. Flags before it are passed over. */
function commandOf(commands: readonly Command.Loadable[], words: readonly string[]) {
  let found: { command: Command.Loadable; depth: number } | undefined;
  const path: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word.startsWith('-')) continue;
    path.push(word);
    const command = commands.find(({ id }) => id === path.join(':'));
    if (command) found = { command, depth: index + 1 };
    else if (!commands.some(({ id }) => id.startsWith(`${path.join(':')}:`))) break;
  }
  return found ?? { command: undefined, depth: 0 };
}

function completeCommand(
  commands: readonly Command.Loadable[],
  topics: readonly Topics[],
  words: readonly string[],
  typed: string,
): Completion {
  const path = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => `${word}:`)
    .join('');
  const children = new Map<string, string>();
  for (const { id, summary = '', hidden } of commands) {
    if (hidden || !id.startsWith(path)) continue;
    const [word = '', ...deeper] = id.slice(path.length).split(':');
    if (deeper.length === 0 && word !== '') children.set(word, summary);
    else if (word !== '' && !children.has(word))
      children.set(word, topics.find(({ name }) => name === `${path}${word}`)?.description ?? '');
  }
  return matching(
    [...children].sort().map(([text, description]) => ({ text, description })),
    typed,
  );
}

function completeArgument(
  commands: readonly Command.Loadable[],
  topics: readonly Topics[],
  command: Command.Loadable,
  before: readonly string[],
  typed: string,
  path: readonly string[],
): Completion {
  const flagsWithValue = Object.values(command.flags).filter(({ type }) => type === 'option');
  const takesNext = (word: string) =>
    flagsWithValue.some(({ name, char }) => word === `--${name}` || (char && word === `-${char}`));
  const given = before.filter((word, index) => !word.startsWith('-') && !takesNext(before[index - 1] ?? ''));
  const argument = Object.values(command.args)[given.length];
  const below = given.length === 0 ? completeCommand(commands, topics, path, typed).candidates : [];
  if (argument?.options) {
    const options = matching(
      argument.options.map((text) => ({ text, description: '' })),
      typed,
    );
    return { ...options, candidates: [...below, ...options.candidates] };
  }
  // Only the first argument of these is an id; a comparison has two sides, and a matrix many machines.
  const isFirst = given.length === 0 || ['compare', 'bisect', 'matrix'].includes(command.id);
  const lookUp = isFirst ? argumentsLookedUp[command.id] : undefined;
  const more = command.strict === false || argument !== undefined;
  const sides =
    lookUp === 'references' && more
      ? [
          { text: 'local', description: 'this machine, captured now' },
          { text: 'latest', description: 'the newest snapshot' },
        ]
      : [];
  const keys =
    command.id === 'history'
      ? [
          ...['os', 'arch'].map((text) => ({ text, description: '' })),
          ...['runtimes.', 'dependencies:', 'env:', 'facts:'].map((text) => ({ text, description: '' })),
        ]
      : command.id === 'accept'
        ? sectionPrefixes
        : [];
  return {
    ...matching([...below, ...sides, ...keys], typed),
    ...(lookUp && more ? { lookUp } : {}),
    paths:
      more &&
      (lookUp === undefined || lookUp === 'references') &&
      keys.length === 0 &&
      !freeText.test(argument?.name ?? ''),
  };
}

function completeValue(flag: Command.Flag.Cached, typed: string, prefix: string): Completion {
  if (flag.name === 'fail-on') return completeRules(typed, prefix);
  if (namesDifferences.test(flag.name)) return matching(sectionPrefixes, typed, prefix);
  const options = (flag.type === 'option' ? flag.options : undefined) ?? knownValues[flag.name] ?? [];
  const offered = matching(
    options.map((text) => ({ text, description: '' })),
    typed,
    prefix,
  );
  const lookUp = flagsLookedUp[flag.name];
  return {
    ...offered,
    ...(lookUp ? { lookUp } : {}),
    paths: lookUp === 'references' || pathFlags.test(flag.name),
  };
}

const sectionPrefixes: readonly Suggestion[] = sectionNames.map((name) => ({
  text: `${name}:`,
  description: '',
}));

/** `runtimes:minor,dep…`: the last rule is completed, the ones before it stay. */
function completeRules(typed: string, prefix: string): Completion {
  const cut = typed.lastIndexOf(',') + 1;
  const [done, last] = [typed.slice(0, cut), typed.slice(cut)];
  const rules = [
    ...sectionNames,
    ...sectionNames.flatMap((name) => distances.map((level) => `${name}:${level}`)),
  ];
  const whole = cut === 0 ? ['none', 'all', ...rules] : rules;
  const shown = last.includes(':') ? whole : whole.filter((rule) => !rule.includes(':'));
  return matching(
    shown.map((text) => ({ text, description: '' })),
    last,
    `${prefix}${done}`,
  );
}

function matching(candidates: readonly Suggestion[], typed: string, prefix = ''): Completion {
  const fitting = candidates.filter(({ text }) => text.startsWith(typed));
  return {
    candidates: fitting.map(({ text, description }) => ({ text: `${prefix}${text}`, description })),
    prefix,
    typed,
    paths: false,
  };
}

function none(typed: string): Completion {
  return { candidates: [], prefix: '', typed, paths: false };
}
