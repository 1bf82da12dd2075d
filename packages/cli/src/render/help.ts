// The main help: commands grouped by task, with examples, settings and exit codes. The framework formats the help of a single
// command.

import type { Command } from '@oclif/core/command';
import { type CommandHelp, Help } from '@oclif/core/help';
import { exitCodeMeanings, exitCodes } from '../errors/cli-error.ts';
import help from './help.json' with { type: 'json' };
import { wrapLines, wrapWords } from './layout/wrap-words.ts';

/** The commands by purpose, in the order in which a new user needs them, with settings and examples. Others come last. */
const { groups, settings, examples } = help;

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
      section('SETTINGS', settings, width),
      section('EXIT CODES', exitCodeRows, width),
      // At the end, where a terminal of 24 lines still shows them.
      section('EXAMPLES', examples, width),
      `envsnap COMMAND --help describes a command. Every command takes --json. Version: ${this.config.version}`,
    ];
    this.log(`${sections.join('\n\n')}\n`);
  }

  override formatCommand(command: Command.Loadable): string {
    const flags = Object.entries(command.flags).map(([name, flag]) => [name, withSpacedOptions(flag)]);
    const usage = command.usage ?? synopsis(command);
    return super.formatCommand({ ...command, flags: Object.fromEntries(flags), usage });
  }

  protected override log(text: string): void {
    super.log(fitting(text, this.width));
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

/** The framework leaves summaries and examples on lines of any length. An example stays a command that a shell can read. */
function fitting(text: string, width: number): string {
  const lines = text.split('\n').map((line) => {
    if (!/^ {2}\$ | \| envsnap /.test(line)) return wrapLines(line, width);
    const [first = '', ...words] = line.match(/^ *\$? ?|(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
    const shown = [first];
    for (const word of words) {
      const last = shown.at(-1) ?? '';
      const isFirst = last === '' || last.endsWith(' ');
      const longer = isFirst ? last + word : `${last} ${word}`;
      // Room for the backslash that continues the command.
      if (isFirst || longer.length <= width - 2) shown.splice(-1, 1, longer);
      else shown.push(`      ${word}`);
    }
    return shown.join(' \\\n');
  });
  return lines.join('\n');
}

/** Narrowest column of texts beside names; a narrower terminal has each text below its name. */
const narrowestText = 24;

function section(title: string, rows: readonly (readonly string[])[], width: number): string {
  const column = Math.max(...rows.map(([name = '']) => name.length)) + 4;
  const isBeside = width - column >= narrowestText;
  const indent = ' '.repeat(isBeside ? column : 6);
  const lines = rows.flatMap(([name = '', text = '']) => {
    const texts = wrapWords(text, width - indent.length).map((line) => indent + line);
    return isBeside
      ? texts.with(0, `  ${name}`.padEnd(column) + texts[0]?.slice(column))
      : [`  ${name}`, ...texts];
  });
  return [title, ...lines].join('\n');
}
