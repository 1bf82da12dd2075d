// Turns a resource method into a call (key, headers, limits, idempotency key), and its response into data.

import { type OperationName, type Route, routes } from '../contract/routes.ts';
import { AbortError, EnvsnapError, UsageError } from '../errors.ts';
import { checkHeaders, checkHeaderText, checkLeast, checkNames } from '../option-checks.ts';
import { randomId } from '../runtime.ts';
import { type CallOptions, callOptionNames, resolveLimits, type Settings } from '../settings.ts';
import { maxAnswerBytesOf } from './answer-text.ts';
import { ApiPromise, type ReadResponse } from './api-promise.ts';
import type { AnswerHead, Call, Upload } from './attempt.ts';
import type { Answer, CallInput, JsonOperationName } from './call.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type AnswerItems, parseAnswer } from './failure.ts';
import type { RateLimit } from './rate-limit.ts';
import { fillPath, formatQuery, type QueryValue } from './request-url.ts';
import type { CalledOperation } from './transport-event.ts';

/** An open response whose body has not been read. The reader calls `release` at its end. */
export interface StreamedAnswer {
  readonly answer: AnswerHead;
  /** The signal of client and caller, if there is one. */
  readonly signal: AbortSignal | undefined;
  /** Longest time without a byte. */
  readonly timeoutMs: number;
  readonly release: () => void;
}

/** The parts of a request besides method and path. */
interface Outgoing {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly json?: unknown;
  readonly upload?: Upload;
  readonly streamed?: boolean;
  /** Headers of the operation itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Secrets besides the key that must not appear in an error. */
  readonly secrets?: readonly string[];
  /** The members that a list's response must have. */
  readonly list?: AnswerItems;
}

/** Options that a resource adds to a call. */
type More = Pick<Outgoing, 'headers' | 'secrets' | 'list'>;

export class Transport {
  readonly #settings: Settings;
  #rateLimit: RateLimit | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The rate-limit numbers of the last response that had them. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /** Number of retries of a call with these options. */
  retriesOf(options: CallOptions): number {
    return resolveLimits(options, this.#settings).retries;
  }

  /** Calls an operation that responds with JSON. */
  call<N extends JsonOperationName>(
    name: N,
    input: CallInput<N>,
    options: CallOptions = {},
    more: More = {},
  ): ApiPromise<Answer<N>> {
    return new ApiPromise(this.read(name, input, options, more, this.call));
  }

  /** The response of an operation with its status and headers. A failure shows the line that called `below`. */
  read<N extends JsonOperationName>(
    name: N,
    input: CallInput<N>,
    options: CallOptions = {},
    more: More = {},
    below: unknown = this.read,
  ): Promise<ReadResponse<Answer<N>>> {
    const { params, query, body } = input as Pick<Outgoing, 'params' | 'query'> & { readonly body?: unknown };
    const exchange = this.#exchangeJson(name, routes[name], { params, query, json: body, ...more }, options);
    return withCaller(exchange, below) as Promise<ReadResponse<Answer<N>>>;
  }

  /** Calls the operation that takes a file. A failing `prepare` rejects the call. */
  upload(prepare: () => Promise<Upload>, options: CallOptions = {}): ApiPromise<Answer<'uploadFile'>> {
    const exchange = async () => {
      const upload = await prepare();
      return this.#exchangeJson('uploadFile', routes.uploadFile, { upload }, options).finally(upload.close);
    };
    return new ApiPromise(withCaller(exchange(), this.upload)) as ApiPromise<Answer<'uploadFile'>>;
  }

  /** Calls a path that the SDK does not wrap, with the key. */
  request(route: Route, outgoing: Outgoing, options: CallOptions = {}): ApiPromise<unknown> {
    return new ApiPromise(withCaller(this.#exchangeJson('request', route, outgoing, options), this.request));
  }

  /** Calls an operation that responds with bytes, and returns before they are read. */
  stream(
    name: 'downloadFile',
    input: CallInput<'downloadFile'>,
    options: CallOptions = {},
    headers: Readonly<Record<string, string>> = {},
  ): Promise<StreamedAnswer> {
    return withCaller(this.#openStream(name, { ...input, streamed: true, headers }, options), this.stream);
  }

  async #openStream(name: OperationName, outgoing: Outgoing, options: CallOptions): Promise<StreamedAnswer> {
    const link = this.#link(options);
    const release = () => link?.release();
    try {
      const { answer } = await this.#exchange(name, routes[name], outgoing, options, link?.signal);
      const { timeoutMs } = resolveLimits(options, this.#settings);
      return { answer, signal: link?.signal, timeoutMs, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async #exchangeJson(
    name: JsonOperationName | 'request',
    route: Route,
    outgoing: Outgoing,
    options: CallOptions,
  ): Promise<ReadResponse<unknown>> {
    const idempotencyKey = route.idempotent ? idempotencyKeyOf(options) : undefined;
    const link = this.#link(options);
    try {
      const exchanged = await this.#exchange(name, route, outgoing, options, link?.signal, idempotencyKey);
      const { answer, attempts, wasDeleted } = exchanged;
      const { status, headers, text } = answer;
      return {
        data: wasDeleted
          ? { success: true }
          : parseAnswer(name, outgoing.list, { ...answer, secrets: this.#secrets(outgoing) }),
        status,
        headers,
        text,
        requestId: headers.get('x-request-id') ?? undefined,
        attempts,
        idempotencyKey,
        replayed: headers.get('idempotency-replayed') === 'true',
      };
    } catch (error) {
      if (error instanceof EnvsnapError && idempotencyKey) {
        Object.defineProperty(error, 'idempotencyKey', { value: idempotencyKey, configurable: true });
      }
      throw error;
    } finally {
      link?.release();
    }
  }

  /** The signals of client and caller as one; undefined if there are none, which saves some work. */
  #link({ signal }: CallOptions): LinkedSignal | undefined {
    const ofClient = this.#settings.signal;
    return signal || ofClient ? linkSignals([ofClient, signal]) : undefined;
  }

  async #exchange(
    name: CalledOperation,
    route: Route,
    outgoing: Outgoing,
    options: CallOptions,
    signal: AbortSignal | undefined,
    idempotencyKey?: string,
  ): Promise<Exchange> {
    const settings = this.#settings;
    checkNames(options, callOptionNames, 'A call');
    const limits = resolveLimits(options, settings);
    // Only a limit given with the call ends an upload early, because its time depends on the connection.
    const isEndless = outgoing.upload && options.totalTimeoutMs === undefined;
    const call: Call = {
      operation: name,
      route,
      url: `${settings.baseUrl}${fillPath(route.path, outgoing.params)}`,
      query: formatQuery(outgoing.query),
      headers: this.#headers(route, idempotencyKey, outgoing, options),
      json: outgoing.json,
      upload: outgoing.upload,
      streamed: outgoing.streamed === true,
      signal,
      limits: isEndless ? { ...limits, totalTimeoutMs: Number.POSITIVE_INFINITY } : limits,
      maxAnswerBytes:
        checkLeast(options.maxAnswerBytes, 1, 'maxAnswerBytes') ??
        settings.maxAnswerBytes ??
        maxAnswerBytesOf(name),
      secrets: this.#secrets(outgoing),
    };
    const seen = (rateLimit: RateLimit) => {
      this.#rateLimit = rateLimit;
    };
    const exchanged = await exchange(settings, call, seen);
    warnOfIgnored(name, exchanged.answer.headers.get('x-ignored-parameters'));
    return exchanged;
  }

  #headers(
    route: Route,
    idempotencyKey: string | undefined,
    outgoing: Outgoing,
    options: CallOptions,
  ): Record<string, string> {
    const { apiKey } = this.#settings;
    const headers: Record<string, string> = {
      ...this.#settings.headers,
      ...outgoing.headers,
      ...checkHeaders(options.headers),
    };
    if (!route.public) {
      if (!apiKey) {
        throw new UsageError(
          'This call needs an API key: new EnvSnap({ apiKey, baseUrl }), or set ENVSNAP_API_KEY',
        );
      }
      headers['x-api-key'] = apiKey;
    }
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    return headers;
  }

  #secrets({ secrets = [] }: Outgoing): readonly string[] {
    const { apiKey } = this.#settings;
    return apiKey === undefined ? secrets : [apiKey, ...secrets];
  }
}

/** The promise; its error gets the stack of the code that called `method`. */
function withCaller<T>(promise: Promise<T>, method: unknown): Promise<T> {
  const caller = captureCaller(method);
  return promise.catch((thrown: unknown) => {
    // The request cannot be sent: the body is not JSON, or the signal is invalid.
    const error =
      thrown instanceof EnvsnapError
        ? thrown
        : new UsageError(`The call cannot be made: ${(thrown as Error | undefined)?.message}`, {
            cause: thrown,
          });
    showCaller(error, caller);
    throw error;
  });
}

function idempotencyKeyOf(options: CallOptions): string {
  if (options.idempotencyKey === undefined) return randomId();
  return checkHeaderText(options.idempotencyKey, 'idempotencyKey');
}

/** The place of a call: frames of a stack, written out only when they are asked for. */
interface Caller {
  readonly stack?: string;
}

type CaptureStackTrace = (target: object, below: unknown) => void;

/** The place that called `below`. Costs a microsecond: engines write the text of a stack when it is read. */
function captureCaller(below: unknown): Caller {
  const { captureStackTrace } = Error as { captureStackTrace?: CaptureStackTrace };
  if (!captureStackTrace) return new Error();
  const caller: Caller = {};
  captureStackTrace(caller, below);
  return caller;
}

/** Gives an error the stack of the caller, because the SDK's own frames do not help. */
function showCaller(error: Error, caller: Caller): void {
  const frames = caller.stack?.split('\n').filter((line) => /^\s+at |@[^@\n]*:\d/.test(line)) ?? [];
  if (frames.length === 0) return;
  const hasHeading = /^\s+at /.test(frames[0] ?? '');
  error.stack = [...(hasHeading ? [`${error.name}: ${error.message}`] : []), ...frames].join('\n');
}

/** A signal that follows others until it is released. */
interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Stops following. A caller's long-lived signal holds nothing of the call afterwards. */
  readonly release: () => void;
}

/** Follows every given signal: the first to abort aborts the result, with an `AbortError` that has its reason as cause. */
function linkSignals(signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const followed: { signal: AbortSignal; listener: () => void }[] = [];
  const release = () => {
    for (const { signal, listener } of followed.splice(0)) signal.removeEventListener('abort', listener);
  };
  for (const signal of signals) {
    if (!signal) continue;
    const listener = () => {
      release();
      controller.abort(new AbortError('The call was stopped', { cause: signal.reason }));
    };
    if (signal.aborted) {
      listener();
      break;
    }
    signal.addEventListener('abort', listener, { once: true });
    followed.push({ signal, listener });
  }
  return { signal: controller.signal, release };
}

/** Names already warned about. Limited, because a server could make up names forever. */
const warned = new Set<string>();
const mostWarnings = 100;

/** Prints each name of the header `X-Ignored-Parameters` once per process. */
function warnOfIgnored(operation: CalledOperation, header: string | null): void {
  for (const name of header?.split(', ') ?? []) {
    if (warned.has(name) || warned.size === mostWarnings) continue;
    warned.add(name);
    console.warn(`envsnap: the server does not know "${name}" and ignored it (${operation})`);
  }
}
