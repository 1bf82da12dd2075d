// Exit codes with the meaning that they have for git bisect: 125 skips a run, 127 means that the command was not found.

import { CliError, usageError } from '../../errors/cli-error.ts';
import type { Side } from './bisect-change.ts';
import type { CommandEnd } from './bisect-run.ts';

export type FailsIf =
  | { readonly kind: 'any-failure' }
  | { readonly kind: 'exit'; readonly code: number }
  | { readonly kind: 'output'; readonly test: (output: string) => boolean };

/** Parses `--fails-if`: an exit code, `/expression/`, or text in the output. Exit code 2 for anything else. */
export function parseFailsIf(text: string | undefined): FailsIf {
  if (text === undefined) return { kind: 'any-failure' };
  if (text === '')
    throw usageError(
      '--fails-if is empty, so every run would match it',
      'Give an exit code, /an expression/, or text that only a failing run prints.',
    );
  if (/^\d{1,3}$/.test(text)) return { kind: 'exit', code: Number(text) };
  const expression = /^\/(.+)\/([imsu]*)$/s.exec(text);
  if (!expression) return { kind: 'output', test: (output) => output.includes(text) };
  try {
    const pattern = new RegExp(expression[1] as string, expression[2]);
    return { kind: 'output', test: (output) => pattern.test(output) };
  } catch (error) {
    throw new CliError(`--fails-if ${text} is not an expression: ${(error as Error).message}`, {
      code: 'usage',
      cause: error,
    });
  }
}

const skipCode = 125;
const notFoundCode = 127;

/** The meaning of exit codes 125 (the run counts neither as passing nor as failing) and 127, unless `--fails-if` names them. */
export function hasCode({ exitCode }: CommandEnd, code: 125 | 127, failsIf: FailsIf): boolean {
  return exitCode === code && !(failsIf.kind === 'exit' && failsIf.code === code);
}

export function skipsAlways(side: Side): CliError {
  const message = `the command ends with exit code ${skipCode} on side ${side.toUpperCase()}, which skips the run, so no run is left to judge`;
  const hint = `If ${skipCode} is a failure of this command, give --fails-if ${skipCode}.`;
  return new CliError(message, { code: 'always_skipped', hint });
}

export function neverJudged(side: Side, how: string): CliError {
  const message = `no run on side ${side.toUpperCase()} got far enough for --fails-if to judge it (${how})`;
  const hint =
    'Such a run counts as neither passing nor failing. Give it more time (--timeout), or leave out --fails-if.';
  return new CliError(message, { code: 'never_judged', hint });
}

/** The error for a missing command, which cannot be distinguished from a failure. Exit code 2. */
export function cannotBeFound(command: readonly string[], where = 'both sides'): CliError {
  const [program = ''] = command;
  const needsShell = command.length === 1 && /\s/.test(program);
  return new CliError(`the command cannot be found (exit code ${notFoundCode} on ${where}): ${program}`, {
    code: 'command_not_found',
    hint: needsShell
      ? 'The whole command is quoted as one word. Pass it to a shell: envsnap bisect A -- sh -c "COMMAND"'
      : `Check its name, the folder (--dir) and PATH. If ${notFoundCode} is a failure of this command, give --fails-if ${notFoundCode}.`,
  });
}
