// One call over HTTP. ky sends the requests, counts and spaces the attempts, and enforces time limits. This file decides how
// much of a response is read, and whether to retry a failure. No other file uses ky.

import ky, { isNetworkError, isTimeoutError } from 'ky';
import type { Route } from '../contract/routes.ts';
import { type AbortError, EnvsnapError, NotFoundError, TimeoutError } from '../errors.ts';
import type { Settings } from '../settings.ts';
import { type AnswerHead, type Call, makeAttempt, type Upload } from './attempt.ts';
import { connectionErrorOf } from './failure.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { answerWasLost, type Repeatability, retryDelayMs } from './retry.ts';
import type { CalledOperation } from './transport-event.ts';

export interface Exchange {
  readonly answer: AnswerHead;
  readonly attempts: number;
  /** The response is a 404, because an earlier attempt has already deleted the resource. */
  readonly wasDeleted: boolean;
}

/** Makes the call; `seen` gets the rate-limit numbers of each response. */
export async function exchange(
  settings: Settings,
  call: Call,
  seen: (rateLimit: RateLimit) => void,
): Promise<Exchange> {
  const attempts = new Attempts(settings, call, seen);
  const { route, json, limits, signal } = call;
  try {
    await ky(call.url, {
      method: route.method,
      headers: call.headers,
      searchParams: call.query,
      ...(json !== undefined && { json }),
      ...(signal && { signal }),
      fetch: (request) => attempts.make(request as Request),
      timeout: finite(attempts.timeoutMs),
      totalTimeout: finite(limits.totalTimeoutMs),
      // Responses that are not a `Response` (from a browser's XMLHttpRequest, or a custom fetch) work as well.
      throwHttpErrors: false,
      retry: {
        limit: limits.retries,
        methods: [route.method],
        shouldRetry: ({ error }) => attempts.mayFollow(error),
        delay: () => attempts.delayMs,
      },
      hooks: { beforeError: [({ error }) => attempts.errorOf(error)] },
    });
  } catch (error) {
    // An earlier attempt may already have deleted the resource, so the call succeeded.
    const wasDeleted = route.method === 'DELETE' && attempts.answerLost && isGone(error);
    if (!wasDeleted) throw error;
    return attempts.end(wasDeleted);
  }
  return attempts.end(false);
}

/** Whether the server says that the resource does not exist. An unknown path, or the 404 of a proxy, does not say that. */
function isGone(error: unknown): boolean {
  return error instanceof NotFoundError && /^(?!route_)\w+_not_found$/.test(error.code ?? '');
}

/** The attempts of one call: what each sends and reads, the meaning of its failure, and whether another follows. */
class Attempts {
  /** Longest time of an attempt. Uploads have a limit on the time without a byte instead. */
  readonly timeoutMs: number;
  /** Delay until the next attempt. */
  delayMs = 0;
  /** The server may have carried out the request although its response was lost. */
  answerLost = false;
  readonly #settings: Settings;
  readonly #call: Call;
  readonly #seen: (rateLimit: RateLimit) => void;
  readonly #startedAt = performance.now();
  readonly #errors = new WeakMap<object, EnvsnapError>();
  #place: { readonly operation: CalledOperation; readonly url: string; readonly attempt: number };
  #attemptedAt = 0;
  /** The attempt is still open: neither a response nor a failure yet. */
  #isOpen = false;
  /** The limit of the whole call ends the attempt before its own limit. */
  #endsByTotal = false;
  #answer: AnswerHead | undefined;

  constructor(settings: Settings, call: Call, seen: (rateLimit: RateLimit) => void) {
    this.#settings = settings;
    this.#call = call;
    this.#seen = seen;
    this.#place = { operation: call.operation, url: call.url, attempt: 0 };
    this.timeoutMs = call.upload ? Number.POSITIVE_INFINITY : call.limits.timeoutMs;
  }

  /** Sends the request and reads its response. Throws the error of a response with an error status. */
  async make(request: Request): Promise<Response> {
    this.#call.signal?.throwIfAborted();
    const { onEvent } = this.#settings;
    const { operation, secrets } = this.#call;
    const here = { operation, url: request.url, attempt: this.#place.attempt + 1 };
    this.#place = here;
    this.#attemptedAt = performance.now();
    this.#endsByTotal = this.#remainingMs() <= this.timeoutMs;
    this.#isOpen = true;
    onEvent({ type: 'request', ...here });
    const answer = await makeAttempt(this.#settings, this.#call, request);
    // ky has given up on this attempt, but its fetch ignored the signal.
    if (this.#place !== here || !this.#isOpen) throw new EnvsnapError('The attempt is over');
    this.#isOpen = false;
    this.#answer = answer;
    const { status, headers, ok, response } = answer;
    const requestId = headers.get('x-request-id') ?? undefined;
    onEvent({
      type: 'response',
      ...here,
      status,
      requestId,
      durationMs: performance.now() - this.#attemptedAt,
    });
    const rateLimit = readRateLimit(headers);
    if (rateLimit) this.#seen(rateLimit);
    if (ok) return response as Response;
    const { errorOfAnswer } = await import('./error-answer.ts');
    throw errorOfAnswer(operation, { ...answer, secrets });
  }

  /** The reason why an attempt, or the wait for one, ended, as an error of the SDK. */
  async errorOf(thrown: object): Promise<EnvsnapError> {
    const known = this.#errors.get(thrown);
    if (known) return known;
    const error = await this.#translate(thrown);
    this.#errors.set(thrown, error);
    if (this.#isOpen) {
      const durationMs = performance.now() - this.#attemptedAt;
      this.#settings.onEvent({ type: 'failure', ...this.#place, error, durationMs });
    }
    this.#isOpen = false;
    return error;
  }

  /** Whether to retry after this failure. Sets the delay before the next attempt. */
  async mayFollow(thrown: object): Promise<boolean> {
    const error = await this.errorOf(thrown);
    const { route, upload, limits } = this.#call;
    const delayMs = retryDelayMs(error, {
      attempts: this.#place.attempt,
      repeatable: repeatability(route, upload),
      remainingMs: this.#remainingMs(),
      maxRetryAfterSeconds: limits.maxRetryAfterSeconds,
      random: Math.random,
    });
    if (delayMs === undefined) return false;
    this.delayMs = delayMs;
    this.answerLost ||= answerWasLost(error);
    this.#settings.onEvent({ type: 'retry', ...this.#place, delayMs, error });
    return true;
  }

  /** The last response. */
  end(wasDeleted: boolean): Exchange {
    return { answer: this.#answer as AnswerHead, attempts: this.#place.attempt, wasDeleted };
  }

  async #translate(thrown: object): Promise<EnvsnapError> {
    if (thrown instanceof EnvsnapError) return thrown;
    const { signal } = this.#call;
    if (signal?.aborted) return signal.reason as AbortError;
    if (isTimeoutError(thrown)) {
      const isTotal = this.#endsByTotal || this.#remainingMs() <= 0;
      const { totalTimeoutMs } = this.#call.limits;
      return isTotal ? new TimeoutError('total', totalTimeoutMs) : new TimeoutError('try', this.timeoutMs);
    }
    // ky's own connection error holds the request, and with it the key.
    return connectionErrorOf(isNetworkError(thrown) ? thrown.cause : thrown, this.#settings.baseUrl);
  }

  #remainingMs(): number {
    return this.#call.limits.totalTimeoutMs - (performance.now() - this.#startedAt);
  }
}

/** In ky's form: false for none. */
function finite(limitMs: number): number | false {
  return Number.isFinite(limitMs) && limitMs;
}

function repeatability(route: Route, upload: Upload | undefined): Repeatability {
  if (upload && !upload.repeatable) return 'never';
  return route.method !== 'POST' || route.idempotent || route.safe ? 'always' : 'refused';
}
