// The client's options and one call's: defaults, units, and the checks that are made before anything is sent.

import type { OperationName } from '@envsnap/shared';
import { apiKeyPattern, isWellFormedApiKey } from '@envsnap/shared/api-key-format';
import { type EnvsnapError, UsageError } from './errors.ts';
import { version } from './version.ts';

/** Something that happened on the way of a call. Holds no header, no body and no key. */
export type TransportEvent =
  | {
      readonly type: 'request';
      readonly operation: OperationName;
      readonly url: string;
      readonly attempt: number;
    }
  | {
      readonly type: 'response';
      readonly operation: OperationName;
      readonly url: string;
      readonly attempt: number;
      readonly status: number;
      readonly requestId: string | undefined;
      readonly durationMs: number;
    }
  | {
      readonly type: 'retry';
      readonly operation: OperationName;
      readonly url: string;
      /** Number of the attempt that failed, from 1. */
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: EnvsnapError;
    };

/** Limits that can be set for the client and for one call. */
export interface CallLimits {
  /**
   * Longest time of one attempt, its answer's body included, in milliseconds; for uploads and downloads the longest time
   * without a byte. Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest time of a call with its retries and the waits between them, in milliseconds. Default 120,000; none for
   * uploads unless given with the call. `Infinity` for none.
   */
  readonly totalTimeoutMs?: number | undefined;
  /** Attempts after the first, 0 to 20. Default 2. */
  readonly retries?: number | undefined;
  /** A longer `Retry-After` than this is not waited for: the call fails at once. Default 60. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /** Stops the call, also while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of one call. */
export interface CallOptions extends CallLimits {
  /**
   * `Idempotency-Key` of a creating call, 1 to 255 visible ASCII characters: the same key and body give the same answer
   * for 24 hours. Default: a random one for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Where the server is, and how it is called. */
export interface ConnectionOptions extends CallLimits {
  /** Address of the server, e.g. `http://127.0.0.1:4780`; a path in front of the API's own is kept. */
  readonly baseUrl: string | URL;
  /** Used instead of the global `fetch`, e.g. for a proxy or a private certificate authority. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Name of the calling program, put in front of the SDK's own in `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** Told of every request, response and retry; for logs and progress. Must not throw. */
  readonly onEvent?: ((event: TransportEvent) => void) | undefined;
}

/** Options of a client. */
export interface ClientOptions extends ConnectionOptions {
  /** `mk_` and 64 hex digits. Only `service` works without one. */
  readonly apiKey?: string | undefined;
}

/** Checked limits of a client or call, every default filled in. */
export interface ResolvedLimits {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retries: number;
  readonly maxRetryAfterSeconds: number;
}

export interface Settings extends ResolvedLimits {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly userAgent: string;
  readonly signal: AbortSignal | undefined;
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly onEvent: (event: TransportEvent) => void;
}

const defaults: ResolvedLimits = {
  timeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  retries: 2,
  maxRetryAfterSeconds: 60,
};

/** Checks a client's options. Throws `UsageError` with what to change. */
export function resolveSettings(options: ClientOptions): Settings {
  const userAgent = `envsnap-sdk/${version}`;
  return {
    ...resolveLimits(options, defaults),
    baseUrl: checkBaseUrl(options.baseUrl),
    apiKey: options.apiKey === undefined ? undefined : checkApiKey(options.apiKey),
    userAgent: options.userAgent
      ? `${checkHeaderText(options.userAgent, 'userAgent')} ${userAgent}`
      : userAgent,
    signal: options.signal,
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    onEvent: options.onEvent ?? (() => undefined),
  };
}

/** Checks limits and fills in what is not given. Throws `UsageError`. */
export function resolveLimits(limits: CallLimits, fallback: ResolvedLimits): ResolvedLimits {
  return {
    timeoutMs: checkTime(limits.timeoutMs ?? fallback.timeoutMs, 'timeoutMs'),
    totalTimeoutMs: checkTime(limits.totalTimeoutMs ?? fallback.totalTimeoutMs, 'totalTimeoutMs'),
    retries: checkRetries(limits.retries ?? fallback.retries),
    maxRetryAfterSeconds: checkNotNegative(
      limits.maxRetryAfterSeconds ?? fallback.maxRetryAfterSeconds,
      'maxRetryAfterSeconds',
    ),
  };
}

/** Text that can stand in a header: visible ASCII and single spaces between. Throws `UsageError`, without the text. */
export function checkHeaderText(value: string, name: string): string {
  if (typeof value !== 'string' || !/^[!-~]+(?: [!-~]+)*$/.test(value) || value.length > 255) {
    throw new UsageError(`${name} must be 1 to 255 visible ASCII characters`);
  }
  return value;
}

function checkApiKey(value: unknown): string {
  const advice = 'An envsnap key is "mk_" and 64 hex digits; copy it again, whole';
  if (typeof value !== 'string' || value === '') throw new UsageError(`The API key is empty. ${advice}.`);
  if (value.trim() !== value) throw new UsageError('The API key has white space around it; remove that.');
  if (!value.startsWith('mk_')) throw new UsageError(`That is no envsnap API key. ${advice}.`);
  if (!apiKeyPattern.test(value)) {
    throw new UsageError(`The API key is malformed: it has ${value.length} characters. ${advice}.`);
  }
  if (!isWellFormedApiKey(value)) {
    throw new UsageError(`The API key is mistyped: its check digits do not fit. ${advice}.`);
  }
  return value;
}

function checkBaseUrl(value: string | URL): string {
  const text = String(value ?? '');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError('baseUrl must be an absolute http or https address, such as http://127.0.0.1:4780');
  }
  if (url.username || url.password) throw new UsageError('baseUrl must not hold a user name or password');
  if (url.search || url.hash) throw new UsageError('baseUrl must not hold a query or fragment');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Longest delay that timers can take. */
const longestTimerMs = 2 ** 31 - 1;

function checkTime(value: number, name: string): number {
  if (value === Number.POSITIVE_INFINITY) return value;
  if (typeof value !== 'number' || !(value > 0) || value > longestTimerMs) {
    throw new UsageError(`${name} must be from above 0 to ${longestTimerMs} milliseconds, or Infinity`);
  }
  return value;
}

function checkRetries(value: number): number {
  if (!Number.isInteger(value) || value < 0 || value > 20) {
    throw new UsageError('retries must be a whole number from 0 to 20');
  }
  return value;
}

function checkNotNegative(value: number, name: string): number {
  if (typeof value !== 'number' || !(value >= 0)) throw new UsageError(`${name} must be 0 or more`);
  return value;
}
