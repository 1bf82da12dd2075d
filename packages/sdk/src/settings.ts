// The options of the client and of one call: their meaning, units, defaults and environment variables.

import type { TransportEvent } from './call/transport-event.ts';
import { UsageError } from './errors.ts';
import {
  checkApiKey,
  checkBaseUrl,
  checkHeaders,
  checkHeaderText,
  checkLeast,
  checkNames,
  checkRetries,
  checkTime,
} from './option-checks.ts';
import type { Fetch } from './platform-types.ts';
import { currentRuntime, environmentVariable } from './runtime.ts';
import { version } from './version.ts';

/** Limits that can be set for the client and for one call. */
export interface CallLimits {
  /**
   * Longest time of one attempt, its response's body included, in milliseconds; for uploads and downloads the longest time
   * without a byte. Default 30,000.
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Longest time of a call with its retries and the waits between them, in milliseconds; for a download, until its headers
   * arrive. Default 120,000; none for uploads unless given with the call. `Infinity` for none.
   */
  readonly totalTimeoutMs?: number | undefined;
  /** Attempts after the first, 0 to 20. Default 2. */
  readonly retries?: number | undefined;
  /** Longest `Retry-After` to wait for, in seconds; after a longer one the call fails at once. Default 60. */
  readonly maxRetryAfterSeconds?: number | undefined;
  /**
   * Most bytes of a JSON response after decompression; a larger one ends the call. Default 8 MiB; 16 MiB for a snapshot and
   * a history, 64 MiB for a list of snapshots and a comparison, 128 MiB for a list of machines.
   */
  readonly maxAnswerBytes?: number | undefined;
  /** Stops the call, even while it waits for a retry. */
  readonly signal?: AbortSignal | undefined;
  /** More headers to send, such as `traceparent`. Not those that the SDK sets itself. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Options of one call. */
export interface CallOptions extends CallLimits {
  /**
   * `Idempotency-Key` of a creating call, 1 to 255 visible ASCII characters: the same key and body give the same response for 24
   * hours, or for 10 minutes if the response holds a secret. Other calls send none. Default: a random one for each call.
   */
  readonly idempotencyKey?: string | undefined;
}

const limitNames =
  'timeoutMs totalTimeoutMs retries maxRetryAfterSeconds maxAnswerBytes signal headers'.split(' ');

/** Options that a call may have; the last four are for lists and downloads. */
export const callOptionNames = [
  ...limitNames,
  ...'idempotencyKey pageSize verify offset onProgress'.split(' '),
];

/** The server's address, and how to call it. */
export interface ConnectionOptions extends CallLimits {
  /** Address of the server; a path in front of the API's own is kept. Default: the environment variable `ENVSNAP_BASE_URL`. */
  readonly baseUrl?: string | URL | undefined;
  /** Used instead of the global `fetch`, for example for a proxy or a private certificate authority. */
  readonly fetch?: Fetch | undefined;
  /** Name of the calling program, put in front of the SDK's own in `User-Agent`. */
  readonly userAgent?: string | undefined;
  /** Called for every attempt and retry; must not throw. Default: prints each if `ENVSNAP_DEBUG` is set. */
  readonly onEvent?: ((event: TransportEvent) => void) | undefined;
}

/** Options of a client. */
export interface ClientOptions extends ConnectionOptions {
  /** Default: the environment variable `ENVSNAP_API_KEY`. Only `service` works without a key. */
  readonly apiKey?: string | undefined;
}

/** Options about the server's address and how to call it. */
export const connectionOptionNames = ['baseUrl', 'fetch', 'userAgent', 'onEvent', ...limitNames];

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
  /** Headers of every request besides the key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal | undefined;
  readonly maxAnswerBytes: number | undefined;
  readonly fetch: Fetch;
  /** Uploads use XMLHttpRequest, because the browser's fetch can neither stream them nor report progress. */
  readonly sendsByBrowser: boolean;
  /** Whether this fetch recognises compressed bodies by their header and cuts bodies at their declared length. */
  readonly trustsLength: boolean;
  readonly onEvent: (event: TransportEvent) => void;
}

const defaults: ResolvedLimits = {
  timeoutMs: 30_000,
  totalTimeoutMs: 120_000,
  retries: 2,
  maxRetryAfterSeconds: 60,
};

/** Checks a client's options; missing ones come from the environment. Throws a `UsageError` that says what to change. */
export function resolveSettings(options: ClientOptions = {}): Settings {
  checkNames(options, ['apiKey', ...connectionOptionNames], 'A client');
  const apiKey = options.apiKey ?? environmentVariable('ENVSNAP_API_KEY');
  const settings = resolveConnection(options, apiKey === undefined ? missing.both : missing.server);
  if (apiKey === undefined) return settings;
  const name = options.apiKey === undefined ? 'ENVSNAP_API_KEY' : 'The API key';
  return { ...settings, apiKey: checkApiKey(apiKey, name) };
}

const missing = {
  both: 'The server and the key are missing: new EnvSnap({ baseUrl, apiKey }), or set ENVSNAP_BASE_URL and ENVSNAP_API_KEY.',
  server: 'The server is missing: pass baseUrl, such as http://127.0.0.1:4780, or set ENVSNAP_BASE_URL.',
};

/** Checks the options about the server. Throws a `UsageError` that says what to change. */
export function resolveConnection(options: ConnectionOptions, ifMissing = missing.server): Settings {
  const baseUrl = options.baseUrl ?? environmentVariable('ENVSNAP_BASE_URL');
  if (baseUrl === undefined) throw new UsageError(ifMissing);
  const userAgent = `envsnap-sdk/${version}`;
  const caller = options.userAgent ? `${checkHeaderText(options.userAgent, 'userAgent')} ` : '';
  const runtime = currentRuntime();
  return {
    ...resolveLimits(options, defaults),
    baseUrl: checkBaseUrl(baseUrl, options.baseUrl === undefined ? 'ENVSNAP_BASE_URL' : 'baseUrl'),
    apiKey: undefined,
    headers: {
      accept: 'application/json',
      // Browsers set their own, and with this header some would need a preflight request.
      ...(runtime !== 'browser' && { 'user-agent': caller + userAgent }),
      ...checkHeaders(options.headers),
    },
    signal: options.signal,
    maxAnswerBytes: checkLeast(options.maxAnswerBytes, 1, 'maxAnswerBytes'),
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    sendsByBrowser: runtime === 'browser' && options.fetch === undefined,
    trustsLength: runtime === 'node' && options.fetch === undefined,
    onEvent: options.onEvent ?? (environmentVariable('ENVSNAP_DEBUG') ? printEvent : () => undefined),
  };
}

/** Checks limits and fills in defaults. Throws `UsageError`. */
export function resolveLimits(limits: CallLimits, fallback: ResolvedLimits): ResolvedLimits {
  return {
    timeoutMs: checkTime(limits.timeoutMs ?? fallback.timeoutMs, 'timeoutMs'),
    totalTimeoutMs: checkTime(limits.totalTimeoutMs ?? fallback.totalTimeoutMs, 'totalTimeoutMs'),
    retries: checkRetries(limits.retries ?? fallback.retries),
    maxRetryAfterSeconds: checkLeast(
      limits.maxRetryAfterSeconds ?? fallback.maxRetryAfterSeconds,
      0,
      'maxRetryAfterSeconds',
    ),
  };
}

/** Prints an event. The code is loaded on use. */
function printEvent(event: TransportEvent): void {
  void import('./call/print-event.ts').then(({ eventText }) => console.error(eventText(event)));
}
