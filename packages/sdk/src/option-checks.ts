// Checks options before anything is sent. Each check throws a `UsageError` that says what to change.

import { apiKeyPattern, isWellFormedApiKey } from '@envsnap/shared/api-key-format';
import { UsageError } from './errors.ts';

/** Refuses options that do not exist: a mistyped one would go unnoticed. Throws `UsageError`. */
export function checkNames(options: object, known: readonly string[], what: string): void {
  const wrong = Object.keys(options).find((name) => !known.includes(name));
  if (wrong === undefined) return;
  throw new UsageError(`${what} has no option ${wrong}, only ${known.join(', ')}`);
}

/** Text that is valid in a header: visible ASCII with single spaces between. Throws `UsageError`, without the text. */
export function checkHeaderText(value: string, name: string): string {
  if (typeof value !== 'string' || !/^[!-~]+(?: [!-~]+)*$/.test(value) || value.length > 255) {
    throw new UsageError(`${name} must be 1 to 255 visible ASCII characters`);
  }
  return value;
}

/** Headers that only the SDK may set. */
const ownHeaders: ReadonlySet<string> = new Set(
  `connection content-encoding content-length content-type
  host idempotency-key transfer-encoding x-api-key`.split(/\s+/),
);

/** Headers of a caller, names in lower case, without those that are undefined. Throws `UsageError`, without a value. */
export function checkHeaders(
  headers: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (value === undefined) continue;
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]{1,255}$/.test(name))
      throw new UsageError('headers has a name that is not a header name');
    if (ownHeaders.has(name)) throw new UsageError(`headers must not contain ${name}: the SDK sets it`);
    if (typeof value !== 'string' || value.length > 8192 || !/^(?:[!-~](?:[\t -~]*[!-~])?)?$/.test(value)) {
      throw new UsageError(`The header ${name} must be visible ASCII characters`);
    }
    checked[name] = value;
  }
  return checked;
}

/** A key without whitespace around it, checked as far as possible without a server. Throws `UsageError`, without the key. */
export function checkApiKey(value: unknown, name: string): string {
  const key = typeof value === 'string' ? value.trim() : '';
  if (isWellFormedApiKey(key)) return key;
  const problem =
    key === ''
      ? 'is empty'
      : !key.startsWith('mk_')
        ? 'is not an envsnap API key'
        : apiKeyPattern.test(key)
          ? 'is mistyped: its check digits are wrong'
          : `is malformed: it has ${key.length} characters`;
  throw new UsageError(
    `${name} ${problem}. An envsnap key is "mk_" and 64 hex digits; copy it again, whole.`,
  );
}

/** The address of a server without a slash at its end. Throws `UsageError`, also for a path of the API. */
export function checkBaseUrl(value: string | URL, name: string): string {
  const text = String(value ?? '');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError(`${name} must be an absolute http or https address, such as http://127.0.0.1:4780`);
  }
  if (url.username || url.password) throw new UsageError(`${name} must not contain a user name or password`);
  if (url.search || url.hash) throw new UsageError(`${name} must not contain a query or fragment`);
  const path = url.pathname.replace(/(?<!\/)\/+$/, '');
  if (path.endsWith('/machine'))
    throw new UsageError(`${name} must not end in /machine: the paths of the API begin with it`);
  return `${url.origin}${path}`;
}

/** Longest delay that timers can take. */
const longestTimerMs = 2 ** 31 - 1;

/** Milliseconds that timers can take, more than 0, or `Infinity`. Throws `UsageError`. */
export function checkTime(value: number, name: string): number {
  if (value === Number.POSITIVE_INFINITY) return value;
  if (typeof value !== 'number' || !(value > 0) || value > longestTimerMs) {
    throw new UsageError(
      `${name} must be more than 0 and at most ${longestTimerMs} milliseconds, or Infinity`,
    );
  }
  return value;
}

/** A number of retries from 0 to 20. Throws `UsageError`. */
export function checkRetries(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 20) {
    throw new UsageError('retries must be a whole number from 0 to 20');
  }
  return value;
}

/** A number from `least`, or undefined. Throws `UsageError`. */
export function checkLeast<T extends number | undefined>(value: T, least: number, name: string): T {
  if (value !== undefined && !(typeof value === 'number' && value >= least)) {
    throw new UsageError(`${name} must be ${least} or more`);
  }
  return value;
}
