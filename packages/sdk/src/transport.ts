// Sends calls: key, time-outs, retries, idempotency key, errors. The only file that knows ky, to which it hands its own
// `fetch` of one attempt.

import type { OperationName } from '@envsnap/shared';
import ky, { isHTTPError, isTimeoutError } from 'ky';
import { ApiPromise, type ApiResponse } from './api-promise.ts';
import { type BodySource, makeAttempt } from './attempt.ts';
import type { Answer, CallInput, JsonOperationName } from './call.ts';
import { AbortError, EnvsnapError, NotFoundError, TimeoutError, UsageError } from './errors.ts';
import { errorOfAnswer, parseAnswer } from './failure.ts';
import { type LinkedSignal, linkSignals } from './linked-signal.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { buildUrl, type QueryValue } from './request-url.ts';
import { answerWasLost, type Repeatability, retryDelayMs } from './retry.ts';
import { type Route, routes } from './routes.ts';
import { type CallOptions, checkHeaderText, resolveLimits, type Settings } from './settings.ts';

/** An answer whose body has not been read. The caller must read or cancel it, then call `release`. */
export interface StreamedAnswer {
  readonly response: Response;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly release: () => void;
}

interface Outgoing {
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, QueryValue>> | undefined;
  readonly json?: unknown;
  readonly upload?: BodySource;
  readonly streamed?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call's input without the operation that gives it its exact type. */
interface LooseInput extends Pick<Outgoing, 'params' | 'query'> {
  readonly body?: unknown;
}

interface Exchange {
  readonly response: Response;
  readonly attempts: number;
  readonly idempotencyKey: string | undefined;
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

  /** Calls an operation that answers with JSON. */
  call<N extends JsonOperationName>(
    name: N,
    input: CallInput<N>,
    options: CallOptions = {},
    headers: Readonly<Record<string, string>> = {},
  ): ApiPromise<Answer<N>> {
    const { params, query, body } = input as LooseInput;
    const outgoing: Outgoing = { params, query, json: body, headers };
    return new ApiPromise(this.#exchangeJson<N>(name, outgoing, options));
  }

  /** Calls the operation that takes a file. A failing `prepare` rejects the call. */
  upload(prepare: () => BodySource, options: CallOptions = {}): ApiPromise<Answer<'uploadFile'>> {
    const exchange = async () =>
      this.#exchangeJson<'uploadFile'>('uploadFile', { upload: prepare() }, options);
    return new ApiPromise(exchange());
  }

  /** Calls an operation that answers with bytes, and returns before they are read. */
  async stream(
    name: 'downloadFile',
    input: CallInput<'downloadFile'>,
    options: CallOptions = {},
  ): Promise<StreamedAnswer> {
    const link = linkSignals([this.#settings.signal, options.signal]);
    try {
      const { response } = await this.#exchange(name, { ...input, streamed: true }, options, link);
      const { timeoutMs } = resolveLimits(options, this.#settings);
      return { response, signal: link.signal, timeoutMs, release: link.release };
    } catch (error) {
      link.release();
      throw error;
    }
  }

  async #exchangeJson<N extends JsonOperationName>(
    name: N,
    outgoing: Outgoing,
    options: CallOptions,
  ): Promise<ApiResponse<Answer<N>>> {
    const link = linkSignals([this.#settings.signal, options.signal]);
    try {
      const { response, attempts, idempotencyKey } = await this.#exchange(name, outgoing, options, link);
      const { status, headers } = response;
      const data = response.ok ? parseAnswer(await response.text(), response) : { success: true };
      return {
        data: data as Answer<N>,
        status,
        headers,
        requestId: headers.get('x-request-id') ?? undefined,
        attempts,
        idempotencyKey,
        replayed: headers.get('idempotency-replayed') === 'true',
      };
    } finally {
      link.release();
    }
  }

  async #exchange(
    name: OperationName,
    outgoing: Outgoing,
    options: CallOptions,
    link: LinkedSignal,
  ): Promise<Exchange> {
    const route: Route = routes[name];
    const limits = resolveLimits(options, this.#settings);
    // Only a limit given with the call ends an upload early: how long a file takes depends on the line.
    const totalTimeoutMs = outgoing.upload
      ? (options.totalTimeoutMs ?? Number.POSITIVE_INFINITY)
      : limits.totalTimeoutMs;
    const url = buildUrl(this.#settings.baseUrl, route.path, outgoing.params, outgoing.query);
    const idempotencyKey = route.idempotent ? idempotencyKeyOf(options) : undefined;
    const headers = this.#headers(route, idempotencyKey, outgoing.headers);
    const json = outgoing.json === undefined ? undefined : JSON.stringify(outgoing.json);
    const repeatable = repeatability(route, outgoing.upload);
    const startedAt = performance.now();
    let attempts = 0;
    let delayMs = 0;
    let answerLost = false;

    const toError = (error: unknown): EnvsnapError => {
      if (link.signal.aborted) return new AbortError('The call was stopped', { cause: link.signal.reason });
      if (isTimeoutError(error) && !(error instanceof TimeoutError)) {
        const total = performance.now() - startedAt >= totalTimeoutMs - 1;
        return total ? new TimeoutError('total', totalTimeoutMs) : new TimeoutError('try', limits.timeoutMs);
      }
      if (isHTTPError(error)) return errorOfAnswer(name, error.response, error.data);
      if (error instanceof EnvsnapError) return error;
      return new EnvsnapError('The request could not be made', { cause: error });
    };
    const attempt = async (input: string | URL | Request): Promise<Response> => {
      attempts += 1;
      const response = await makeAttempt(this.#settings, {
        operation: name,
        url,
        method: route.method,
        headers,
        json,
        upload: outgoing.upload,
        streamed: outgoing.streamed === true,
        number: attempts,
        timeoutMs: limits.timeoutMs,
        signal: (input as Request).signal,
      });
      this.#rateLimit = readRateLimit(response.headers) ?? this.#rateLimit;
      return response;
    };

    try {
      const response = await ky(url, {
        method: route.method,
        signal: link.signal,
        timeout: outgoing.upload ? false : finite(limits.timeoutMs),
        totalTimeout: finite(totalTimeoutMs),
        fetch: attempt,
        retry: {
          limit: limits.retries,
          methods: ['get', 'post', 'patch', 'delete'],
          shouldRetry: ({ error: failure }) => {
            const error = toError(failure);
            const remainingMs = totalTimeoutMs - (performance.now() - startedAt);
            const { retries, maxRetryAfterSeconds } = limits;
            const context = {
              attempts,
              retries,
              repeatable,
              remainingMs,
              maxRetryAfterSeconds,
              random: Math.random,
            };
            const wait = retryDelayMs(error, context);
            if (wait === undefined) return false;
            delayMs = wait;
            answerLost ||= answerWasLost(error);
            this.#settings.onEvent({
              type: 'retry',
              operation: name,
              url,
              attempt: attempts,
              delayMs,
              error,
            });
            return true;
          },
          delay: () => delayMs,
        },
      });
      return { response, attempts, idempotencyKey };
    } catch (failure) {
      const error = toError(failure);
      if (route.method === 'DELETE' && answerLost && error instanceof NotFoundError && isHTTPError(failure)) {
        // An earlier attempt may have deleted it; gone is what was asked for.
        return { response: failure.response, attempts, idempotencyKey };
      }
      throw error;
    }
  }

  #headers(
    route: Route,
    idempotencyKey: string | undefined,
    more: Readonly<Record<string, string>> = {},
  ): Readonly<Record<string, string>> {
    const { apiKey, userAgent } = this.#settings;
    const headers: Record<string, string> = { accept: 'application/json', 'user-agent': userAgent, ...more };
    if (!route.public) {
      if (!apiKey) throw new UsageError('This call needs an API key: new EnvSnap({ apiKey, baseUrl })');
      headers['x-api-key'] = apiKey;
    }
    if (idempotencyKey) headers['idempotency-key'] = idempotencyKey;
    return headers;
  }
}

function idempotencyKeyOf(options: CallOptions): string {
  if (options.idempotencyKey === undefined) return crypto.randomUUID();
  return checkHeaderText(options.idempotencyKey, 'idempotencyKey');
}

function repeatability(route: Route, upload: BodySource | undefined): Repeatability {
  if (upload && !upload.repeatable) return 'never';
  return route.method !== 'POST' || route.idempotent || route.safe ? 'always' : 'refused';
}

function finite(milliseconds: number): number | false {
  return Number.isFinite(milliseconds) ? milliseconds : false;
}
