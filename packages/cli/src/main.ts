// The program's entry after bin/run.js: finds the command, shows help, and ends with the right exit code.

import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { loadHelpClass, normalizeArgv } from '@oclif/core/help';
import { showError } from './base-command.ts';
import { CliError } from './cli-error.ts';
import { describeError } from './error-report.ts';
import { exitCodes } from './exit-codes.ts';
import { handleInterrupts } from './interrupt.ts';
import { nearestName } from './nearest-name.ts';
import { packageDescription, version } from './program.ts';

/** Runs the program with its arguments. Failures end up in the exit code; nothing is thrown. */
export async function main(argv: readonly string[]): Promise<void> {
  const options = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv;
  const json = options.includes('--json');
  handleStreams();
  handleInterrupts(() => {
    if (json)
      showError({ message: 'interrupted', code: 'interrupted', exitCode: exitCodes.interrupted }, json);
  });
  try {
    const config = await Config.load({
      root: fileURLToPath(new URL('.', import.meta.url)),
      pjson: packageDescription,
      version,
    } as unknown as Parameters<typeof Config.load>[0]);
    await dispatch(config, [...argv], options, json);
  } catch (error) {
    const report = describeError(error);
    process.exitCode = report.exitCode;
    showError(report, json, error);
  }
  // What a failed command has left open (an upload that was cut off) must not keep the program alive.
  await Promise.all([flushed(process.stdout), flushed(process.stderr)]);
  process.exit();
}

/** Resolves when everything that was written has been handed over, or the reader has gone away. */
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
    const Help = await loadHelpClass(config);
    await new Help(config).showHelp(id.startsWith('-') ? [] : id.split(':'));
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
    return new CliError(`"${words}" needs a command`, {
      code: 'usage',
      hint: `One of: ${below.join(', ')}.`,
    });
  }
  const near = id.startsWith('-') ? undefined : nearestName(words, ids);
  const what = id.startsWith('-') ? 'a command must come before' : 'there is no command';
  return new CliError(`${what} "${words}"`, {
    code: 'usage',
    hint: near
      ? `Did you mean: envsnap ${near}? envsnap --help lists all.`
      : 'envsnap --help lists all commands.',
  });
}

/** A reader that goes away (`| head`) ends the program quietly; what was decided as exit code stays. */
function handleStreams(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit();
    throw error;
  });
  process.stderr.on('error', () => undefined);
}
