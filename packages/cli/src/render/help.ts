// The main help: commands grouped by task, with examples, settings and exit codes. The framework formats the help of a single
// command.

import type { Command } from '@oclif/core/command';
import { type CommandHelp, Help } from '@oclif/core/help';
import { exitCodeMeanings, exitCodes } from '../errors/cli-error.ts';
import { wrapWords } from './layout/wrap-words.ts';

/** The commands by purpose, in the order in which a new user needs them. Others come last. */
const groups: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  { title: 'START', names: ['init', 'doctor', 'whoami', 'profile', 'autocomplete'] },
  {
    title: 'ENVIRONMENTS',
    names: ['capture', 'compare', 'check', 'accept', 'snapshot', 'matrix', 'history'],
  },
  { title: 'FIND THE CAUSE', names: ['run', 'why', 'bisect', 'issue'] },
  { title: 'SHARE', names: ['share', 'open', 'mcp'] },
  { title: 'PROJECT', names: ['status', 'project', 'key', 'team', 'file', 'webhook', 'usage', 'audit'] },
];

const examples: readonly (readonly [command: string, what: string])[] = [
  ['envsnap capture --output baseline.json', 'describe this machine in a file; no server needed'],
  ['envsnap compare baseline.json local', 'what differs here, the likeliest cause first'],
  ['envsnap run -- npm test', 'run the tests, and record their environment in case they fail'],
  ['envsnap init', 'connect to a server'],
  ['envsnap compare latest:ci-runner local', 'compare another machine with this one'],
];

const settings: readonly (readonly [name: string, what: string])[] = [
  ['ENVSNAP_BASE_URL', 'address of the server; --base-url overrides it'],
  ['ENVSNAP_API_KEY', 'API key; --api-key-stdin overrides it'],
  ['ENVSNAP_PROFILE', 'saved server and key to use; --profile overrides it'],
  ['ENVSNAP_FINGERPRINT_KEY', "key for fingerprints of secrets; by default the project's"],
  ['NO_COLOR, FORCE_COLOR', 'switch colours off or on'],
];

const exitCodeRows = Object.entries(exitCodes).map(
  ([name, code]) => [String(code), exitCodeMeanings[name as keyof typeof exitCodes]] as const,
);

export class ProgramHelp extends Help {
  override async showRootHelp(): Promise<void> {
    const { width } = this;
    const summaries = this.summaries();
    const named = new Set(groups.flatMap(({ names }) => names));
    const others = [...summaries.keys()].filter((name) => !named.has(name));
    const all = others.length > 0 ? [...groups, { title: 'OTHER', names: others }] : groups;
    const lists = all.map(({ title, names }) => ({
      title,
      rows: names.flatMap((name): [string, string][] => {
        const summary = summaries.get(name);
        return summary === undefined ? [] : [[name, summary]];
      }),
    }));
    const sections = [
      this.config.pjson.description ?? '',
      'USAGE\n  $ envsnap COMMAND',
      ...lists.filter(({ rows }) => rows.length > 0).map(({ title, rows }) => section(title, rows, width)),
      section('EXAMPLES', examples, width),
      section('SETTINGS', settings, width),
      section('EXIT CODES', exitCodeRows, width),
      `envsnap COMMAND --help describes a command. Every command takes --json. Version: ${this.config.version}`,
    ];
    this.log(`${sections.join('\n\n')}\n`);
  }

  override formatCommand(command: Command.Loadable): string {
    const flags = Object.entries(command.flags).map(([name, flag]) => [name, withSpacedOptions(flag)]);
    const usage = command.usage ?? synopsis(command);
    return super.formatCommand({ ...command, flags: Object.fromEntries(flags), usage });
  }

  /** The framework compiles every help text as a template, but only its own usage line is one. */
  protected override getCommandHelpClass(command: Command.Loadable): CommandHelp {
    const help = super.getCommandHelpClass(command);
    const { render } = help;
    help.render = (text) => (text.includes('<%') ? render(text) : text);
    return help;
  }

  /** Commands and topics of the first level with their summaries. */
  private summaries(): Map<string, string> {
    const topics = this.sortedTopics
      .filter(({ name }) => !name.includes(':'))
      .map(({ name, description = '' }) => [name, description] as const);
    const commands = this.sortedCommands
      .filter(({ id, hidden }) => !id.includes(':') && !hidden)
      .map(({ id, summary = '' }) => [id, summary] as const);
    // A topic that is also a command is described by its subcommands.
    return new Map([...commands, ...topics]);
  }

  private get width(): number {
    return Math.min(this.opts.maxWidth ?? 80, 100);
  }
}

/** The framework joins options with `|` alone, so that a long list breaks within a word. */
function withSpacedOptions<T extends Command.Flag.Any>(flag: T): T {
  return flag.type === 'option' && flag.options ? { ...flag, options: [flag.options.join(', ')] } : flag;
}

/** `accept KEY --reason TEXT [FLAGS]`: the required words. The flags are listed below it, one per line. */
function synopsis({ id, args, flags, strict }: Command.Loadable): string {
  const shown = Object.values(args).filter(({ hidden }) => !hidden);
  const words = shown.map(({ name, required }, index) => {
    const repeats = strict === false && index === shown.length - 1 ? '...' : '';
    const word = name.toUpperCase() + repeats;
    return required ? word : `[${word}]`;
  });
  const needed = Object.values(flags)
    .filter((flag) => flag.required)
    .map(
      (flag) =>
        `--${flag.name}${flag.type === 'option' ? ` ${flag.helpValue ?? flag.name.toUpperCase()}` : ''}`,
    );
  return [id.replaceAll(':', ' '), ...words, ...needed, '[FLAGS]'].join(' ');
}

function section(title: string, rows: readonly (readonly [string, string])[], width: number): string {
  const column = Math.max(...rows.map(([name]) => name.length)) + 4;
  const lines = rows.flatMap(([name, text]) => {
    const [first = '', ...rest] = wrapWords(text, Math.max(24, width - column));
    return [`  ${name.padEnd(column - 2)}${first}`, ...rest.map((line) => ' '.repeat(column) + line)];
  });
  return [title, ...lines].join('\n');
}
