// The program's entry after bin/run.js: finds the command, shows help, and ends with the right exit code.

import path from 'node:path';
import type { Worker } from 'node:worker_threads';
import { nearestName } from '@envsnap/shared/text/nearest-name';
import { Config } from '@oclif/core/config';
import { normalizeArgv } from '@oclif/core/help';
import { homeFolder } from '../plain/cache-folder.js';
import { showError } from './base-command.ts';
import { bundledPlugin, type CommandManifest, type LoadCommand } from './bundled-plugin.ts';
import { CliError, exitCodes, refusalReason, usageError } from './errors/cli-error.ts';
import { describeError, type ErrorReport } from './errors/error-report.ts';
import otherNames from './other-names.json' with { type: 'json' };
import { packageDescription, rememberPacking, version } from './program.ts';
import { reportInterrupts } from './terminal/interrupt.ts';

/** How the program was packed: files of its package, or assets of an executable. */
interface Packed {
  readonly manifest: () => object;
  readonly buildId: () => string;
  readonly load: LoadCommand;
  readonly captureThread?: () => Worker;
}

/** Runs the program with its arguments. Failures end up in the exit code; nothing is thrown. */
export async function main(given: readonly string[], packed: Packed): Promise<void> {
  const argv = commandFirst(given);
  rememberPacking(packed);
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const json = options.includes('--json');
  handleStreams();
  reportInterrupts(() => {
    if (json)
      showError({ message: 'interrupted', code: 'interrupted', exitCode: exitCodes.interrupted }, json);
  });
  try {
    const root = path.dirname(process.execPath);
    const plugin = bundledPlugin(packed.manifest() as CommandManifest, packed.load, root);
    const config = await loadConfig(plugin, root);
    await dispatch(config, [...argv], options, json);
  } catch (error) {
    const report = describeError(error);
    process.exitCode = report.exitCode;
    showError(report, json, error);
  }
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  // The program ends when nothing is left to do: `process.exit` may wait forever for a thread of V8 that waits for it
  // (nodejs/node#54918). Handles that a failed command left open (an upload that was cut off) must not keep it alive.
  setTimeout(() => process.exit(), leftOpenMs).unref();
}

/** On a system without accounts, oclif fails to find a home folder and shell. It gets substitutes for its start. */
async function loadConfig(plugin: Config['rootPlugin'], root: string): Promise<Config> {
  const asked = { HOME: homeFolder(), SHELL: '/bin/sh' };
  const before = Object.keys(asked).map((name) => [name, process.env[name]] as const);
  for (const [name, value] of Object.entries(asked)) process.env[name] ||= value;
  try {
    return await Config.load({
      root,
      version,
      pjson: packageDescription,
      plugins: new Map([[plugin.name, plugin]]),
    } as unknown as Parameters<typeof Config.load>[0]);
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

/** How long open handles may take to close. */
const leftOpenMs = 250;

/** `envsnap -- whoami` as package runners write it, and `envsnap --json whoami`, mean `envsnap whoami --json`. */
function commandFirst(argv: readonly string[]): readonly string[] {
  const begin = argv.findIndex((word) => word !== '--' && word !== '--json');
  if (begin <= 0) return argv;
  const rest = argv.slice(begin);
  if (!argv.slice(0, begin).includes('--json')) return rest;
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length;
  return [...rest.slice(0, end), '--json', ...rest.slice(end)];
}

/** Resolves when all output has been written, or the reader is gone. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve());
  });
}

async function dispatch(
  config: Config,
  argv: string[],
  options: readonly string[],
  json: boolean,
): Promise<void> {
  const [first] = argv;
  if (first === '--version' || first === '-v') {
    process.stdout.write(`${config.userAgent}\n`);
    return;
  }
  const wantsHelp = first === 'help' || options.includes('--help') || options.includes('-h');
  const words = first === 'help' ? argv.slice(1) : argv.filter((word) => word !== '--help' && word !== '-h');
  const [id = '', ...rest] = normalizeArgv(config, words);
  const command = id === '' || id.startsWith('-') ? undefined : config.findCommand(id);
  const isTopic = id !== '' && config.findTopic(id) !== undefined;
  if (
    id === '' ||
    (wantsHelp && (command || isTopic || id.startsWith('-'))) ||
    (!command && isTopic && !json)
  ) {
    const { ProgramHelp } = await import('./render/help.ts');
    await new ProgramHelp(config).showHelp(id.startsWith('-') ? [] : id.split(':'));
    return;
  }
  if (!command) throw unknownCommand(config, id, isTopic);
  await config.runCommand(id, rest, command);
}

function unknownCommand(config: Config, id: string, isTopic: boolean): CliError {
  const ids = config.commandIDs.map((name) => name.replaceAll(':', ' '));
  const words = id.replaceAll(':', ' ');
  if (isTopic) {
    const below = ids.filter((name) => name.startsWith(`${words} `));
    return usageError(`"${words}" needs a command`, `One of: ${below.join(', ')}.`);
  }
  // `why a.json`: words after a command that takes none.
  const known = ids.find((name) => words.startsWith(`${name} `));
  if (known !== undefined) {
    const stray = words.slice(known.length + 1);
    return new CliError(`envsnap ${known} takes no argument "${stray}"`, {
      code: 'usage',
      hint:
        known === 'run'
          ? `Put a command after --: envsnap run -- ${stray}`
          : `envsnap ${known} --help lists what is accepted.`,
    });
  }
  const [word = ''] = words.split(' ', 1);
  const named = otherNames.commands.find(({ names }) => names.includes(word))?.command;
  const near = id.startsWith('-') ? undefined : (otherVerb(words, ids) ?? named ?? nearestName(words, ids));
  const problem = id.startsWith('-') ? 'a command must come before' : 'there is no command';
  return usageError(
    `${problem} "${words}"`,
    near ? `Did you mean: envsnap ${near}? envsnap --help lists all.` : 'envsnap --help lists all commands.',
  );
}

/** `webhook create` for `webhook add`: the topic's command that does what the word says. */
function otherVerb(words: string, ids: readonly string[]): string | undefined {
  const [topic = '', verb = ''] = words.split(' ');
  const ofTopic = ids.filter((name) => name.startsWith(`${topic} `));
  if (ofTopic.length === 0 || verb === '') return undefined;
  // Verbs with the same meaning; those of our commands come first.
  const alike = otherNames.verbs.find((group) => group.includes(verb)) ?? [];
  const suggestion = alike.map((each) => `${topic} ${each}`).find((name) => ofTopic.includes(name));
  return suggestion ?? nearestName(words, ofTopic) ?? ofTopic.join(', envsnap ');
}

/**
 * If the reader is gone (`| head`), the program ends quietly with its exit code. A full disk, or any unexpected error, is a
 * failure: never 1, which means that a comparison found a difference.
 */
function handleStreams(): void {
  // Before the listener of oclif, which throws.
  process.stdout.prependListener('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    fail({ ...describeError(error), message: `standard output: ${refusalReason(error.code)}` }, error);
  });
  process.stderr.on('error', () => undefined);
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => fail(describeError(error), error));
  }
}

function fail(report: ErrorReport, error: unknown): never {
  showError(report, false, error);
  process.exit(report.exitCode);
}
