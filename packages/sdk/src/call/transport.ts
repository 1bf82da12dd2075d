// Sends calls: key, time limits, retries, idempotency key, errors. The only file that knows ky, which makes the attempts by a
// `fetch` of ours (attempt.ts) and is told by its own error for it when to make another, as retry.ts decides.

import ky, { ForceRetryError } from 'ky';
import { answerShapes } from '../contract/answer-shapes.ts';
import { type OperationName, type Route, routes } from '../contract/routes.ts';
import { AbortError, EnvsnapError, NotFoundError, UsageError } from '../errors.ts';
import { checkBytes, checkHeaders, checkHeaderText } from '../option-checks.ts';
import { type CalledOperation, type CallOptions, resolveLimits, type Settings } from '../settings.ts';
import { maxAnswerBytesOf } from './answer-text.ts';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { type Attempt, type AttemptAnswer, type BodySource, makeAttempt } from './attempt.ts';
import type { Answer, CallInput, JsonOperationName } from './call.ts';
import { captureCaller, showCaller } from './caller.ts';
import { errorOfAnswer, parseAnswer } from './failure.ts';
import { type LinkedSignal, linkSignals } from './linked-signal.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { buildUrl, type QueryValue } from './request-url.ts';
import { answerWasLost, type Repeatability, retryDelayMs } from './retry.ts';

/** An open answer whose body has not been read. Whoever reads it stops its guard and calls `release` at its end. */
export interface StreamedAnswer {
  readonly answer: AttemptAnswer;
  /** The signal of client and caller, where there is one. */
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly release: () => void;
}

/** What is sent beside method and path. */
export interface Outgoing {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly json?: unknown;
  readonly upload?: BodySource;
  readonly streamed?: boolean;
  /** Headers of the operation itself. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What must not stand in an error, beside the key. */
  readonly secrets?: readonly string[];
}

/** A call's input without the operation that gives it its exact type. */
interface LooseInput extends Pick<Outgoing, 'params' | 'query'> {
  readonly body?: unknown;
}

interface Exchange {
  readonly answer: AttemptAnswer;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
  /** The answer is the 404 of something that an earlier attempt has deleted. */
  readonly wasDeleted: boolean;
}

export class Transport {
  readonly #settings: Settings;
  #rateLimit: RateLimit | undefined;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** The rate-limit numbers of the last answer that had them. */
  get rateLimit(): RateLimit | undefined {
    return this.#rateLimit;
  }

  /** Attempts after the first, of a call with these options. */
  retriesOf(options: CallOptions): number {
    return resolveLimits(options, this.#settings).retries;
  }

  /** Calls an operation that answers with JSON. */
  call<N extends JsonOperationName>(
    name: N,
    input: CallInput<N>,
    options: CallOptions = {},
    more: Pick<Outgoing, 'headers' | 'secrets'> = {},
  ): ApiPromise<Answer<N>> {
    const { params, query, body } = input as LooseInput;
    const exchange = this.#exchangeJson(name, routes[name], { params, query, json: body, ...more }, options);
    return new ApiPromise(withCaller(exchange, this.call)) as ApiPromise<Answer<N>>;
  }

  /** Calls the operation that takes a file. A failing `prepare` rejects the call. */
  upload(prepare: () => Promise<BodySource>, options: CallOptions = {}): ApiPromise<Answer<'uploadFile'>> {
    const exchange = async () =>
      this.#exchangeJson('uploadFile', routes.uploadFile, { upload: await prepare() }, options);
    return new ApiPromise(withCaller(exchange(), this.upload)) as ApiPromise<Answer<'uploadFile'>>;
  }

  /** Calls a path that the SDK does not wrap. The key goes along where there is one. */
  request(route: Route, outgoing: Outgoing, options: CallOptions = {}): ApiPromise<unknown> {
    return new ApiPromise(withCaller(this.#exchangeJson('request', route, outgoing, options), this.request));
  }

  /** Calls an operation that answers with bytes, and returns before they are read. */
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
      const { answer } = await this.#exchange(name, routes[name], outgoing, options, link);
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
  ): Promise<ApiResponse<unknown>> {
    const link = this.#link(options);
    try {
      const exchange = await this.#exchange(name, route, outgoing, options, link);
      const { answer, attempts, idempotencyKey, wasDeleted } = exchange;
      const { status, headers } = answer;
      const shape = name === 'request' ? undefined : answerShapes[name];
      return {
        data: wasDeleted ? { success: true } : parseAnswer(name, shape, answer),
        status,
        headers,
        requestId: headers.get('x-request-id') ?? undefined,
        attempts,
        idempotencyKey,
        replayed: headers.get('idempotency-replayed') === 'true',
      };
    } finally {
      link?.release();
    }
  }

  /** The signals of client and caller as one; undefined when there are none, which spares a call some work. */
  #link({ signal }: CallOptions): LinkedSignal | undefined {
    const ofClient = this.#settings.signal;
    return signal || ofClient ? linkSignals([ofClient, signal]) : undefined;
  }

  async #exchange(
    name: CalledOperation,
    route: Route,
    outgoing: Outgoing,
    options: CallOptions,
    link: LinkedSignal | undefined,
  ): Promise<Exchange> {
    const settings = this.#settings;
    const limits = resolveLimits(options, settings);
    // Only a limit given with the call ends an upload early: how long a file takes depends on the line.
    const isEndless = outgoing.upload && options.totalTimeoutMs === undefined;
    const totalTimeoutMs = isEndless ? Number.POSITIVE_INFINITY : limits.totalTimeoutMs;
    const url = buildUrl(settings.baseUrl, route.path, outgoing.params, outgoing.query);
    const idempotencyKey = route.idempotent ? idempotencyKeyOf(options) : undefined;
    const attempt: Attempt = {
      operation: name,
      url,
      method: route.method,
      headers: this.#headers(route, idempotencyKey, outgoing, options),
      json: outgoing.json === undefined ? undefined : JSON.stringify(outgoing.json),
      upload: outgoing.upload,
      streamed: outgoing.streamed === true,
      timeoutMs: limits.timeoutMs,
      totalTimeoutMs,
      maxAnswerBytes: checkBytes(options.maxAnswerBytes) ?? settings.maxAnswerBytes ?? maxAnswerBytesOf(name),
    };
    const repeatable = repeatability(route, outgoing.upload);
    const startedAt = performance.now();
    const remainingMs = () => totalTimeoutMs - (performance.now() - startedAt);
    let attempts = 0;
    let answerLost = false;

    const toError = (error: unknown): EnvsnapError => {
      if (link?.signal.aborted) return new AbortError('The call was stopped', { cause: link.signal.reason });
      if (error instanceof EnvsnapError) return error;
      return new EnvsnapError('The request could not be made', { cause: error });
    };
    /** One attempt: its answer, the error that ends the call, or ky's error that asks for another after a delay. */
    const makeOne = async (): Promise<Exchange> => {
      link?.signal.throwIfAborted();
      attempts += 1;
      const where = { operation: name, url, attempt: attempts };
      const attemptedAt = performance.now();
      settings.onEvent({ type: 'request', ...where });
      let error: EnvsnapError;
      try {
        const answer = await makeAttempt(settings, attempt, remainingMs(), link?.signal);
        const { status, headers } = answer;
        const requestId = headers.get('x-request-id') ?? undefined;
        const durationMs = performance.now() - attemptedAt;
        settings.onEvent({ type: 'response', ...where, status, requestId, durationMs });
        this.#rateLimit = readRateLimit(headers) ?? this.#rateLimit;
        if (answer.ok) return { answer, attempts, idempotencyKey, wasDeleted: false };
        error = errorOfAnswer(name, { ...answer, secrets: this.#secrets(outgoing) });
        // An earlier attempt may have deleted it; gone is what was asked for.
        const wasDeleted = route.method === 'DELETE' && answerLost && error instanceof NotFoundError;
        if (wasDeleted) return { answer, attempts, idempotencyKey, wasDeleted };
      } catch (thrown) {
        error = toError(thrown);
        const durationMs = performance.now() - attemptedAt;
        settings.onEvent({ type: 'failure', ...where, error, durationMs });
      }
      const { retries, maxRetryAfterSeconds } = limits;
      const delayMs = retryDelayMs(error, {
        attempts,
        retries,
        repeatable,
        remainingMs: remainingMs(),
        maxRetryAfterSeconds,
        random: Math.random,
      });
      if (delayMs === undefined) throw error;
      answerLost ||= answerWasLost(error);
      settings.onEvent({ type: 'retry', ...where, delayMs, error });
      throw new ForceRetryError({ delay: delayMs, cause: error });
    };

    try {
      return (await ky(url, {
        ...(link ? { signal: link.signal } : {}),
        method: route.method,
        timeout: false,
        totalTimeout: false,
        throwHttpErrors: false,
        retry: limits.retries,
        // What is not a Response goes through ky as it is.
        fetch: makeOne as unknown as typeof globalThis.fetch,
      })) as unknown as Exchange;
    } catch (error) {
      throw toError(error);
    }
  }

  #headers(
    route: Route,
    idempotencyKey: string | undefined,
    outgoing: Outgoing,
    options: CallOptions,
  ): Record<string, string> {
    const { apiKey } = this.#settings;
    const headers: Record<string, string> = { ...this.#settings.headers, ...outgoing.headers };
    if (options.headers) Object.assign(headers, checkHeaders(options.headers));
    if (outgoing.json !== undefined) headers['content-type'] = 'application/json';
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

/** The promise, its failure with the stack of whoever called `method`. */
function withCaller<T>(promise: Promise<T>, method: unknown): Promise<T> {
  const caller = captureCaller(method);
  return promise.catch((error: unknown) => {
    if (error instanceof EnvsnapError) showCaller(error, caller);
    throw error;
  });
}

function idempotencyKeyOf(options: CallOptions): string {
  if (options.idempotencyKey === undefined) return crypto.randomUUID();
  return checkHeaderText(options.idempotencyKey, 'idempotencyKey');
}

function repeatability(route: Route, upload: BodySource | undefined): Repeatability {
  if (upload && !upload.repeatable) return 'never';
  return route.method !== 'POST' || route.idempotent || route.safe ? 'always' : 'refused';
}
