// envsnap complete: the candidates at the cursor, for the completion scripts, once for each Tab.

import type { EnvSnap } from '@envsnap/sdk';
import { sectionNames } from '@envsnap/shared/address';
import { visible } from '@envsnap/shared/text/visible';
import { distances } from '@envsnap/versions';
import type { Command } from '@oclif/core/command';
import { BaseCommand } from '../base-command.ts';
import { readProfiles } from '../connection/config.ts';
import { findConnection } from '../connection/settings.ts';
import lookedUp from './looked-up.json' with { type: 'json' };

/** A text that can be typed, and its description. */
type Suggestion = readonly [text: string, about?: string];

/** The candidates at the cursor; those that begin with the typed text are offered. */
interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** Prefix of each, such as `--profile=`. */
  readonly prefix?: string;
  readonly typed: string;
  readonly lookUp?: LookedUp | undefined;
  /** Whether file names are candidates too. */
  readonly paths?: boolean;
}

/** Names that only the profiles or the server know. */
type LookedUp = 'profiles' | keyof typeof lists;

const flagsLookedUp = lookedUp.flagsLookedUp as Readonly<Record<string, LookedUp>>;
/** By the first word of a command that takes an argument. */
const argumentsLookedUp = lookedUp.argumentsLookedUp as Readonly<Record<string, LookedUp>>;
/** Commands whose argument is not there yet. */
const makesNew = /:(?:create|upload)$/;
/** Arguments that only the user knows: offering files would mislead. */
const freeText = /^(?:name|url|key|delivery)$/;
const pathFlags = /^(?:dir|policy|output)$/;
/** Names of systems and architectures as captures spell them. */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  os: ['darwin', 'linux', 'win32'],
  arch: ['arm64', 'x64'],
};
/** Flags that name differences: `SECTION:PATTERN`. */
const namesDifferences = /^(?:only|ignore)$/;
const sectionPrefixes = sectionNames.map((name): Suggestion => [`${name}:`]);
const keyPrefixes = ['os', 'arch', 'runtimes.', 'dependencies:', 'env:', 'facts:'].map(suggest);
const references = Object.entries(lookedUp.references);

function suggest(text: string): Suggestion {
  return [text];
}

export default class Complete extends BaseCommand {
  static override summary = 'Print possible completions, for the completion scripts.';
  static override hidden = true;
  static override strict = false;

  /** One candidate a line, its description after a tab; `:paths` if file names are candidates too. */
  override async run(): Promise<{ candidates: readonly { text: string; description: string }[] }> {
    // The words are a half-typed command line, not flags of this command.
    const at = this.argv.indexOf('--');
    const words = this.argv.slice(at + 1);
    if (this.argv.slice(0, Math.max(at, 0)).includes('new-word')) words.push('');
    const { suggestions, prefix = '', typed, lookUp, paths } = this.complete(words);
    const candidates = [...suggestions, ...(lookUp ? await lookUpNames(lookUp, words) : [])]
      .filter(([text]) => text.startsWith(typed))
      .map(([text, description = '']) => ({ text: `${prefix}${text}`, description }));
    for (const { text, description } of candidates)
      this.printAsIs(visible(text) + (description ? `\t${visible(description)}` : ''));
    if (paths) this.printAsIs(':paths');
    return { candidates };
  }

  /** Completes the last of `words`, which follow the program's name; it may be empty. */
  private complete(words: readonly string[]): Completion {
    const typed = words.at(-1) ?? '';
    const { command, depth } = this.commandOf(words.slice(0, -1));
    if (!command) return { suggestions: this.commandsBelow(words.slice(0, -1)), typed };
    const before = words.slice(depth, -1);
    const flags = Object.values(command.flags).filter((flag) => !flag.hidden);
    const flagOf = (word: string) =>
      flags.find(({ name, char, type }) => type === 'option' && [`--${name}`, `-${char}`].includes(word));
    const [, inline, value = ''] = /^(--[\w-]+)=(.*)$/s.exec(typed) ?? [];
    const opened = flagOf(inline ?? before.at(-1) ?? '');
    if (opened) return valuesOf(opened, inline ? value : typed, inline ? `${inline}=` : '');
    if (inline) return { suggestions: [], typed };
    if (typed.startsWith('-')) {
      const offered = flags.map(({ name, summary = '' }): Suggestion => [`--${name}`, summary]);
      return { suggestions: [...offered, ['--help', 'Show help.']], typed };
    }
    const values = before.filter((word, index) => !word.startsWith('-') && !flagOf(before[index - 1] ?? ''));
    const below = values.length === 0 ? this.commandsBelow(words.slice(0, -1)) : [];
    return { ...argumentOf(command, values.length, below), typed };
  }

  /** The longest run of leading words that names a command. Flags before it are skipped. */
  private commandOf(words: readonly string[]) {
    const { commands } = this.config;
    let found: { command?: Command.Loadable; depth: number } = { depth: 0 };
    const path: string[] = [];
    for (const [index, word] of words.entries()) {
      if (word.startsWith('-')) continue;
      path.push(word);
      const command = commands.find(({ id }) => id === path.join(':'));
      if (command) found = { command, depth: index + 1 };
      else if (!commands.some(({ id }) => id.startsWith(`${path.join(':')}:`))) break;
    }
    return found;
  }

  /** The commands and topics that may follow some words. */
  private commandsBelow(words: readonly string[]): Suggestion[] {
    const path = words.flatMap((word) => (word.startsWith('-') ? [] : `${word}:`)).join('');
    const children = new Map<string, string>();
    for (const { id, summary = '', hidden } of this.config.commands) {
      if (hidden || !id.startsWith(path)) continue;
      const [word = '', ...deeper] = id.slice(path.length).split(':');
      const topic = this.config.topics.find(({ name }) => name === `${path}${word}`);
      if (deeper.length === 0 && word !== '') children.set(word, summary);
      else if (word !== '' && !children.has(word)) children.set(word, topic?.description ?? '');
    }
    return [...children].sort();
  }
}

function argumentOf(
  command: Command.Loadable,
  place: number,
  below: readonly Suggestion[],
): Omit<Completion, 'typed'> {
  const argument = Object.values(command.args)[place];
  if (argument?.options) return { suggestions: [...below, ...argument.options.map(suggest)] };
  if (!argument && command.strict !== false) return { suggestions: below };
  const [first = ''] = command.id.split(':', 1);
  // Only the first argument of a topic's command is an id; a comparison has two sides, and a matrix many machines.
  const isNamed = (place === 0 && !makesNew.test(command.id)) || first === command.id;
  const lookUp = isNamed ? argumentsLookedUp[first] : undefined;
  const prefixes = { history: keyPrefixes, accept: sectionPrefixes }[command.id] ?? [];
  const isPath = lookUp === undefined && prefixes.length === 0 && !freeText.test(argument?.name ?? '');
  const sides = lookUp === 'references' ? references : [];
  return { suggestions: [...below, ...sides, ...prefixes], lookUp, paths: isPath || sides.length > 0 };
}

function valuesOf(flag: Command.Flag.Cached, typed: string, prefix: string): Completion {
  if (flag.name === 'fail-on') return completeRules(typed, prefix);
  if (namesDifferences.test(flag.name)) return { suggestions: sectionPrefixes, typed, prefix };
  const options = (flag.type === 'option' ? flag.options : undefined) ?? knownValues[flag.name] ?? [];
  const lookUp = flagsLookedUp[flag.name];
  const paths = lookUp === 'references' || pathFlags.test(flag.name);
  return { suggestions: options.map(suggest), typed, prefix, lookUp, paths };
}

/** `runtimes:minor,dep…`: completes the last rule and keeps the ones before it. */
function completeRules(typed: string, prefix: string): Completion {
  const cut = typed.lastIndexOf(',') + 1;
  const [done, last] = [typed.slice(0, cut), typed.slice(cut)];
  const levels = sectionNames.flatMap((name) => distances.map((level) => `${name}:${level}`));
  const rules = [
    ...(cut === 0 ? ['none', 'all'] : []),
    ...sectionNames,
    ...(last.includes(':') ? levels : []),
  ];
  return { suggestions: rules.map(suggest), typed: last, prefix: `${prefix}${done}` };
}

/** Longest wait for the server, in milliseconds: a person who presses Tab does not wait longer. */
const timeoutMs = 1500;
const most = { limit: 50 };

/** Looks names up with the connection that the words being typed would use. Offers nothing if that fails. */
async function lookUpNames(what: LookedUp, words: readonly string[]): Promise<readonly Suggestion[]> {
  try {
    if (what === 'profiles') {
      const { byName } = await readProfiles();
      return [...byName].map(([text, { projectName, baseUrl }]) => [text, `${projectName} on ${baseUrl}`]);
    }
    const connection = await findConnection({
      'base-url': valueAfter(words, '--base-url'),
      profile: valueAfter(words, '--profile'),
    });
    if (!connection) return [];
    const { EnvSnap } = await import('@envsnap/sdk');
    const { baseUrl, apiKey } = connection;
    return await lists[what](new EnvSnap({ baseUrl, apiKey, retries: 0, timeoutMs }), words);
  } catch {
    return [];
  }
}

const lists = {
  async files(client: EnvSnap) {
    const files = await client.files.iterate().toArray(most);
    return files.map(({ id, filename }) => shortId(id, filename));
  },
  async webhooks(client: EnvSnap) {
    const webhooks = await client.webhooks.iterate().toArray(most);
    return webhooks.map(({ id, url }) => shortId(id, url));
  },
  async projects(client: EnvSnap) {
    const { projects } = await client.projects.list();
    return projects.map(({ id, name }): Suggestion => [id, name]);
  },
  async keys(client: EnvSnap) {
    const keys = await client.keys.iterate().toArray(most);
    return keys.map(({ id, label, role }) => shortId(id, `${label ?? 'no label'}, ${role}`));
  },
  async members(client: EnvSnap, words: readonly string[]) {
    const projectId = valueAfter(words, '--project') ?? (await client.keys.current()).projectId;
    const members = await client.team.iterate(projectId).toArray(most);
    return members.map(({ id, keyLabel, role }) => shortId(id, `${keyLabel ?? 'no label'}, ${role}`));
  },
  async machines(client: EnvSnap) {
    const machines = await client.snapshots.iterateMachines().toArray(most);
    return machines.map(({ machineName }) => suggest(machineName));
  },
  async snapshots(client: EnvSnap) {
    const snapshots = await client.snapshots.iterate().toArray(most);
    return snapshots.map(({ id, machineName, createdAt }) =>
      shortId(id, `${machineName}, ${createdAt.slice(0, 16).replace('T', ' ')}`),
    );
  },
  async references(client: EnvSnap) {
    const machines = await lists.machines(client);
    const latest = machines.map(([name]): Suggestion => [`latest:${name}`, 'its newest snapshot']);
    return [...latest, ...(await lists.snapshots(client))];
  },
};

function shortId(id: string, about: string): Suggestion {
  return [id.slice(0, 8), about];
}

function valueAfter(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag);
  if (at >= 0) return words[at + 1];
  return words.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
}
