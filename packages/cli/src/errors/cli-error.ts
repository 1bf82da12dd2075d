// The error that commands and actions throw on purpose: what happened, what to do, and the exit code.

import { type ExitCode, exitCodes } from './exit-codes.ts';

interface CliErrorOptions {
  /** Stable snake_case name for programs that read `--json`. */
  readonly code: string;
  readonly exitCode?: ExitCode;
  /** What to do about it; one or more lines. */
  readonly hint?: string;
  readonly cause?: unknown;
}

/** A failure with an explanation for a person. The exit code is 2 (usage or configuration) unless given. */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, options: CliErrorOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'CliError';
    this.code = options.code;
    this.exitCode = options.exitCode ?? exitCodes.usage;
    this.hint = options.hint;
  }
}

/** A flag that a person at a terminal would be asked for, missing where nobody can be asked. */
export function missingFlag(flag: string, meaning: string): CliError {
  return new CliError(`${flag} is missing: ${meaning}`, {
    code: 'missing_flag',
    hint: `Give ${flag}, or run the command in a terminal to be asked.`,
  });
}
