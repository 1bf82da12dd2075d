// One call over HTTP. ky makes the requests, counts the attempts, waits between them and ends what takes too long; what is
// read of an answer, and whether a failure is worth another attempt, is decided here. The only file that knows ky.

import ky, { isNetworkError, isTimeoutError } from 'ky';
import type { Route } from '../contract/routes.ts';
import { type AbortError, EnvsnapError, NotFoundError, TimeoutError } from '../errors.ts';
import type { CalledOperation, ResolvedLimits, Settings } from '../settings.ts';
import { type AnswerHead, makeAttempt, type Upload } from './attempt.ts';
import { connectionErrorOf } from './failure.ts';
import { type RateLimit, readRateLimit } from './rate-limit.ts';
import { answerWasLost, type Repeatability, retryDelayMs } from './retry.ts';

/** A call, all that it needs. */
export interface Call {
  readonly operation: CalledOperation;
  readonly route: Route;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly upload: Upload | undefined;
  /** Return a good answer before its body is read. */
  readonly streamed: boolean;
  readonly limits: ResolvedLimits;
  readonly maxAnswerBytes: number;
  /** What must not stand in an error. */
  readonly secrets: readonly string[];
}

/** The answer of a call. */
export interface Exchange {
  readonly answer: AnswerHead;
  readonly attempts: number;
  /** The answer is the 404 of something that an earlier attempt has deleted. */
  readonly wasDeleted: boolean;
}

/** Makes the call. `signal` ends it, also while it waits; `seen` gets the rate-limit numbers of each answer. */
export async function exchange(
  settings: Settings,
  call: Call,
  signal: AbortSignal | undefined,
  seen: (rateLimit: RateLimit) => void,
): Promise<Exchange> {
  const { operation, route, limits } = call;
  const { retries, maxRetryAfterSeconds, totalTimeoutMs } = limits;
  // Of an upload, the limit of an attempt is the longest time without a byte, which is watched where bytes move.
  const timeoutMs = call.upload ? Number.POSITIVE_INFINITY : limits.timeoutMs;
  const startedAt = performance.now();
  const remainingMs = () => totalTimeoutMs - (performance.now() - startedAt);
  const repeatable = repeatability(route, call.upload);
  const errors = new WeakMap<object, EnvsnapError>();
  let where = { operation, url: call.url, attempt: 0 };
  let attemptedAt = startedAt;
  /** The attempt has neither been answered nor has it failed. */
  let isOpen = false;
  let endsByTotal = false;
  let delayMs = 0;
  let answerLost = false;
  let answer: AnswerHead | undefined;

  const attempt = async (input: unknown): Promise<Response> => {
    const request = input as Request;
    signal?.throwIfAborted();
    const here = { ...where, url: request.url, attempt: where.attempt + 1 };
    where = here;
    attemptedAt = performance.now();
    endsByTotal = remainingMs() <= timeoutMs;
    isOpen = true;
    settings.onEvent({ type: 'request', ...here });
    const made = await makeAttempt(settings, call, request);
    // ky has given this attempt up, and its fetch heeded no signal.
    if (where !== here || !isOpen) throw new EnvsnapError('The attempt is over');
    isOpen = false;
    answer = made;
    const { status, headers } = made;
    const requestId = headers.get('x-request-id') ?? undefined;
    const durationMs = performance.now() - attemptedAt;
    settings.onEvent({ type: 'response', ...here, status, requestId, durationMs });
    const rateLimit = readRateLimit(headers);
    if (rateLimit) seen(rateLimit);
    if (!made.ok) {
      const { errorOfAnswer } = await import('./error-answer.ts');
      throw errorOfAnswer(operation, { ...made, secrets: call.secrets });
    }
    return made.response as Response;
  };

  /** What ended an attempt or the wait for one, as an error of the SDK. */
  const errorOf = async (thrown: object): Promise<EnvsnapError> => {
    const known = errors.get(thrown);
    if (known) return known;
    let error: EnvsnapError;
    if (thrown instanceof EnvsnapError) error = thrown;
    else if (signal?.aborted) error = signal.reason as AbortError;
    else if (isTimeoutError(thrown)) {
      const isTotal = endsByTotal || remainingMs() <= 0;
      error = isTotal ? new TimeoutError('total', totalTimeoutMs) : new TimeoutError('try', timeoutMs);
    } else {
      // ky's own error of a connection holds the request, and with it the key.
      error = await connectionErrorOf(isNetworkError(thrown) ? thrown.cause : thrown, settings.baseUrl);
    }
    errors.set(thrown, error);
    if (isOpen)
      settings.onEvent({ type: 'failure', ...where, error, durationMs: performance.now() - attemptedAt });
    isOpen = false;
    return error;
  };

  try {
    await ky(call.url, {
      method: route.method,
      headers: call.headers,
      searchParams: call.query,
      ...(call.json !== undefined && { json: call.json }),
      ...(signal && { signal }),
      fetch: attempt,
      timeout: finite(timeoutMs),
      totalTimeout: finite(totalTimeoutMs),
      // An answer that is no `Response` (of a browser's XMLHttpRequest, of a fetch of one's own) is as good as one.
      throwHttpErrors: false,
      retry: {
        limit: retries,
        methods: [route.method],
        delay: () => delayMs,
        shouldRetry: async ({ error: thrown }) => {
          const error = await errorOf(thrown);
          const { attempt: attempts } = where;
          const rest = { remainingMs: remainingMs(), maxRetryAfterSeconds, random: Math.random };
          const delay = retryDelayMs(error, { attempts, repeatable, ...rest });
          if (delay === undefined) return false;
          delayMs = delay;
          answerLost ||= answerWasLost(error);
          settings.onEvent({ type: 'retry', ...where, delayMs, error });
          return true;
        },
      },
      hooks: { beforeError: [({ error }) => errorOf(error)] },
    });
  } catch (error) {
    // An earlier attempt may have deleted it; gone is what was asked for.
    const wasDeleted = route.method === 'DELETE' && answerLost && error instanceof NotFoundError;
    if (!wasDeleted) throw error;
    return { answer: answer as AnswerHead, attempts: where.attempt, wasDeleted };
  }
  return { answer: answer as AnswerHead, attempts: where.attempt, wasDeleted: false };
}

/** As ky has it: false for none. */
function finite(limitMs: number): number | false {
  return Number.isFinite(limitMs) && limitMs;
}

function repeatability(route: Route, upload: Upload | undefined): Repeatability {
  if (upload && !upload.repeatable) return 'never';
  return route.method !== 'POST' || route.idempotent || route.safe ? 'always' : 'refused';
}
