// Turns any error into text for a person, the document for `--json`, and the exit code. Recognises the SDK's errors by their
// fields, so that a command that never talks to a server does not load the SDK.

import { nearestName } from '@envsnap/shared/text/nearest-name';
import { CliError, type ExitCode, exitCodeOfAnswer, exitCodes, refusalReason } from './cli-error.ts';
import hints from './hints.json' with { type: 'json' };

export interface ErrorReport {
  readonly message: string;
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly status?: number;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly hint?: string;
}

interface ErrorContext {
  readonly command?: string;
  readonly example?: string | undefined;
}

export function describeError(error: unknown, context: ErrorContext = {}): ErrorReport {
  if (error instanceof CliError) {
    return {
      message: error.message,
      code: error.code,
      exitCode: error.exitCode,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    };
  }
  const fields = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  const name = String(fields.name ?? '');
  const message = error instanceof Error ? error.message : String(error);
  // This comes first, because a response from another server has a status too.
  const ofClient = describeClientError(name, message, context);
  if (ofClient) return ofClient;
  if (typeof fields.status === 'number' && 'requestId' in fields) {
    return describeAnswer(message, fields.status, fields, context);
  }
  if ('oclif' in fields && ('parse' in fields || 'skipOclifErrorHandling' in fields))
    return describeParseError(message, fields, context);
  if (typeof fields.syscall === 'string' && typeof fields.code === 'string') {
    // A host name that does not exist is the caller's mistake, like a missing file.
    const isName = /^(?:ELOOP|ENAMETOOLONG)$/.test(fields.code);
    const exitCode = isName ? exitCodes.usage : exitCodes.failed;
    return { message: describeSystemError(fields, message), code: 'io_error', exitCode };
  }
  return {
    message: `unexpected failure: ${message}`,
    code: 'internal_error',
    exitCode: exitCodes.failed,
    hint: 'This is a bug in envsnap. ENVSNAP_DEBUG=1 shows where it happened.',
  };
}

/** Failures of the SDK that are not a response of the service. */
function describeClientError(name: string, message: string, context: ErrorContext): ErrorReport | undefined {
  const hint =
    context.command === 'init'
      ? 'Check that the server is running and that the address is right.'
      : 'Check that the server is running and that the address is right: envsnap doctor checks both. ' +
        'The address comes from --base-url, ENVSNAP_BASE_URL or the profile.';
  const { unreachable, usage, failed, interrupted } = exitCodes;
  const rows: Readonly<Record<string, readonly [code: string, exitCode: ExitCode, hint?: string]>> = {
    ConnectionError: ['connection_failed', unreachable, hint],
    TimeoutError: ['timeout', unreachable, hint],
    UnexpectedResponseError: ['unexpected_response', unreachable, hint],
    TooMuchWorkError: ['too_much_work', usage, 'Use fewer patterns, or patterns with fewer choices in {…}.'],
    UsageError: ['usage', usage],
    AbortError: ['interrupted', interrupted],
    ExitPromptError: ['interrupted', interrupted],
    AbortPromptError: ['interrupted', interrupted],
    ChecksumError: ['checksum_mismatch', failed],
  };
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (!row) return undefined;
  const [code, exitCode, advice] = row;
  const shownText = code === 'interrupted' ? code : message;
  return { message: shownText, code, exitCode, ...(advice !== undefined && { hint: advice }) };
}

/** Statuses that a proxy in front of the server may return as well. */
const proxyStatuses = new Set([401, 403, 407, 429, 502, 503, 504]);

function describeAnswer(
  message: string,
  status: number,
  fields: Record<string, unknown>,
  context: ErrorContext,
): ErrorReport {
  const isForeign = fields.code === undefined && fields.requestId === undefined;
  if (isForeign && message === `The server responded with ${status}` && !proxyStatuses.has(status)) {
    return {
      message: `the address responds with status ${status}, but is not an envsnap server`,
      code: 'unexpected_response',
      exitCode: exitCodes.unreachable,
      status,
      hint: 'Check the address: it comes from --base-url, ENVSNAP_BASE_URL or the profile.',
    };
  }
  const code = String(fields.code ?? 'http_error');
  const retryAfter =
    typeof fields.retryAfterSeconds === 'number' ? { retryAfterSeconds: fields.retryAfterSeconds } : {};
  const hint =
    context.command === 'init' && code === 'invalid_api_key'
      ? 'The key may be revoked, or belong to another server. Ask the person who gave it to you.'
      : hintOfAnswer(code, status, fields.retryAfterSeconds, typeof fields.requestId === 'string');
  const details = Array.isArray(fields.details) && fields.details.length > 0 ? fields.details : undefined;
  return {
    // The name of a part of the request does not help the user of a command.
    message: message.replace(/^Invalid (?:body|query|path): /, ''),
    code,
    exitCode: exitCodeOfAnswer(status, code),
    status,
    ...(typeof fields.requestId === 'string' ? { requestId: fields.requestId } : {}),
    ...retryAfter,
    ...(details ? { details: details as NonNullable<ErrorReport['details']> } : {}),
    ...(hint ? { hint } : {}),
  };
}

const hintsOfCodes: Readonly<Record<string, string>> = hints;

function hintOfAnswer(
  code: string,
  status: number,
  retryAfterSeconds: unknown,
  hasRequestId: boolean,
): string | undefined {
  if (Object.hasOwn(hintsOfCodes, code)) return hintsOfCodes[code];
  if (code === 'rate_limited' && typeof retryAfterSeconds === 'number')
    return `Try again in ${retryAfterSeconds} s.`;
  if (status < 500) return undefined;
  return hasRequestId
    ? 'Search the log of the server for the request id above.'
    : 'The response has no request id: it may come from a proxy in front of the server, or from another service.';
}

/** Rewrites the parser's own texts: no appended help line, no colour, the flag or argument named. */
function describeParseError(
  message: string,
  fields: Record<string, unknown>,
  context: ErrorContext,
): ErrorReport {
  const plain = message
    .replaceAll('\nSee more help with --help', '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the parser dims some texts with escape sequences
    .replaceAll(/\u001b\[[0-9;]*m/g, '')
    .replace(/^The following errors? occurred:\s*/, '')
    .replace(/^Nonexistent flag/, 'unknown flag')
    .replace(/^Missing (\d+) required args?:\n([\s\S]*)/, (_, count: string, list: string) => {
      // The parser sets names and descriptions in two columns, and breaks lines within the second.
      const names = list
        .trim()
        .replaceAll(/\n {3,}/g, ' ')
        .split('\n')
        .map((line) =>
          line
            .trim()
            .replace(/^(\S+) {2,}(\S.*)$/s, (_, name, what) => `${name} (${what.replace(/\.$/, '')})`),
        );
      return `missing argument${count === '1' ? '' : 's'}: ${names.join(', ')}`;
    })
    .replace(/^Missing required flag (\S+)/, '--$1 is missing')
    .replace(/^Parsing (--\S+)\s+Expected/, '$1: expected')
    .replaceAll(/(?<!\s)\s*\n\s*/g, ' ')
    .trim();
  const flags = Array.isArray(fields.flags) ? fields.flags.map(String) : [];
  const help = `envsnap ${context.command ? `${context.command} ` : ''}--help`;
  const known = flagNamesOf(fields);
  const near = flags.flatMap((flag) => nearestName(flag, known) ?? []);
  const isMissing = /^missing argument| is missing/i.test(plain) && context.example !== undefined;
  const hint = `${near.length > 0 ? `Did you mean ${near.join(', ')}? ` : ''}${isMissing ? `For example: ${context.example}\n` : ''}${help} lists what is accepted.`;
  return {
    message: plain.charAt(0).toLowerCase() + plain.slice(1),
    code: 'usage',
    exitCode: exitCodes.usage,
    hint,
  };
}

function flagNamesOf(fields: Record<string, unknown>): string[] {
  const parse = fields.parse as { input?: { flags?: Record<string, unknown> } } | undefined;
  return Object.keys(parse?.input?.flags ?? {}).map((name) => `--${name}`);
}

/** An operating system's refusal in words: `cannot open ./a: no such file or folder`. */
function describeSystemError(fields: Record<string, unknown>, message: string): string {
  if (fields.syscall === 'uv_cwd' && fields.code === 'ENOENT')
    return 'the working folder no longer exists; change to another';
  if (fields.syscall === 'uv_cwd')
    return 'the path of the working folder is longer than the system allows; change to a folder nearer to the root';
  const code = String(fields.code);
  const known = refusalReason(code);
  const reason = known === code ? message : known;
  return typeof fields.path === 'string' ? `${fields.path}: ${reason}` : reason;
}
