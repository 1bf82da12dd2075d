// The operator's command line: reads flags, runs a command, and turns errors into one line and an exit code.

import { jsonText, visible } from '@envsnap/shared/text/visible';
import { Command, CommanderError } from 'commander';
import { AppError, OperatorError, StartupError } from './infra/app-error.ts';
import { addOperatorCommands } from './operator/commands.ts';
import { version } from './version.ts';

/** Runs the program with `process.argv`-like arguments and ends the process. */
export async function runCli(argv: readonly string[]): Promise<void> {
  const program = createProgram();
  try {
    await program.parseAsync([...argv]);
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2;
      return;
    }
    const expected = error instanceof StartupError || error instanceof OperatorError;
    const isAway = error instanceof AppError && error.code === 'database_unavailable';
    const exitCode = expected ? error.exitCode : isAway ? 6 : 7;
    if (argv.includes('--json') && error instanceof Error) {
      process.stdout.write(`${jsonText({ error: { message: error.message, exitCode } }, 0)}\n`);
    } else {
      process.stderr.write(`envsnap-server: ${describeFailure(error, expected)}\n`);
    }
    process.exitCode = exitCode;
  }
}

/** One line for an expected failure, the whole error for an unexpected one. */
function describeFailure(error: unknown, expected: boolean): string {
  if (!(error instanceof Error)) return String(error);
  if (expected || error instanceof AppError) {
    const cause = error.cause instanceof Error && !expected ? ` (${error.cause.message})` : '';
    return visible(`${error.message.replace(/\.$/, '')}${cause}`);
  }
  return error.stack ?? error.message;
}

function createProgram(): Command {
  const program = new Command('envsnap-server')
    .description('The envsnap service: stores, compares and watches environment snapshots.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .exitOverride();
  program
    .command('start')
    .description('start the server; settings come from flags, then from ENVSNAP_* variables')
    .option('--host <host>', 'address to listen on (ENVSNAP_HOST, default 127.0.0.1)')
    .option('--port <port>', 'port to listen on, 0 for any free one (ENVSNAP_PORT, default 4780)')
    .option(
      '--data-dir <dir>',
      'folder of the embedded database and files (ENVSNAP_DATA_DIR, default ./envsnap-data)',
    )
    .option('--database-url <url>', 'PostgreSQL database to use instead of the embedded one (DATABASE_URL)')
    // Only this command loads the service's code.
    .action(async (flags) => (await import('./start-command.ts')).runStart(flags));
  addOperatorCommands(program);
  pointToHelp(program, 'envsnap-server');
  return program;
}

/** After a mistake, each command points to its own help. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`(${words} --help lists the commands and flags)`);
  for (const each of command.commands) pointToHelp(each, `${words} ${each.name()}`);
}
