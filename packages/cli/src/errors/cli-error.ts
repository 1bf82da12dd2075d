// The error that commands and actions throw on purpose: the problem, the advice, and the exit code.

import refusalReasons from './refusal-reasons.json' with { type: 'json' };

export const exitCodes = {
  done: 0,
  different: 1,
  usage: 2,
  refused: 3,
  notFound: 4,
  limited: 5,
  unreachable: 6,
  failed: 7,
  interrupted: 130,
} as const;

/** The meaning of each exit code, for the help. */
export const exitCodeMeanings: Record<keyof typeof exitCodes, string> = {
  done: 'done, or no difference that counts',
  different: 'compare, check or doctor found a difference that counts; why or bisect found no cause',
  usage: 'wrong usage or configuration',
  refused: 'refused: key or role',
  notFound: 'not found',
  limited: 'rate limited or over quota',
  unreachable: 'server or network unreachable',
  failed: 'any other failure',
  interrupted: 'interrupted',
};

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code for a response of the service, by its HTTP status and stable error code. */
export function exitCodeOfAnswer(status: number, code: string): ExitCode {
  if (status === 429 || code.endsWith('_quota_exceeded')) return exitCodes.limited;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  if (status === 400 || code === 'too_much_work') return exitCodes.usage;
  if (status === 502 || status === 503 || status === 504) return exitCodes.unreachable;
  return exitCodes.failed;
}

interface CliErrorOptions {
  /** Stable snake_case name for programs that read `--json`. */
  readonly code: string;
  readonly exitCode?: ExitCode;
  /** The advice; one or more lines. */
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

/** The input is invalid, or its parts cannot be combined. */
export function usageError(message: string, hint: string): CliError {
  return new CliError(message, { code: 'usage', hint });
}

/** A missing flag. `isAsked`: a person at a terminal would be asked for it. */
export function missingFlag(flag: string, meaning: string, isAsked = false): CliError {
  return new CliError(`${flag} is missing: ${meaning}`, {
    code: 'missing_flag',
    hint: isAsked ? `Give ${flag}, or run the command in a terminal to be asked.` : `Give ${flag}.`,
  });
}

const reasons: Readonly<Record<string, string>> = refusalReasons;

/** `ENOSPC` → `no space left on the device`; an unknown code stays unchanged. */
export function refusalReason(code: string | undefined): string {
  return (code === undefined ? undefined : reasons[code]) ?? code ?? 'for an unknown reason';
}
