// Makes one attempt of a call: a fresh body, no redirects, and a JSON answer read to its end, so that a torn answer fails
// like a lost connection and a file is never held in memory for a retry.

import { EnvsnapError } from '../errors.ts';
import type { FetchInit, FetchResponse } from '../platform-types.ts';
import { currentRuntime } from '../runtime.ts';
import type { CalledOperation, Settings } from '../settings.ts';
import { BodyTooLargeError, errorAnswerBytes, readText } from './answer-text.ts';
import {
  answerTooLarge,
  connectionErrorOf,
  describeRedirect,
  isRefusedRedirect,
  redirectError,
} from './failure.ts';
import { StallGuard } from './stall-guard.ts';

/** The body of one attempt. */
export interface AttemptBody {
  readonly body: Blob | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Told how many bytes of a `Blob` were sent, on a platform that can tell. */
  readonly sent: (bytes: number) => void;
  /** Lets go of the source, when it was not read to its end. */
  readonly close: () => void;
}

/** What a body tells while it is being sent. */
export interface BodyObserver {
  /** Some of it was taken. */
  readonly moved: () => void;
  /** Its source failed: the attempt fails with this error, and no other is made. */
  readonly failed: (error: EnvsnapError) => void;
}

/** A body that is made anew for every attempt. */
export interface BodySource {
  readonly repeatable: boolean;
  /** Makes the body. */
  readonly start: (observer: BodyObserver) => AttemptBody | Promise<AttemptBody>;
}

/** One attempt, all that it needs. */
export interface Attempt {
  readonly operation: CalledOperation;
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly json: string | undefined;
  readonly upload: BodySource | undefined;
  /** Return a good answer before its body is read. */
  readonly streamed: boolean;
  /** Longest time of the attempt; of an upload the longest time without a byte. */
  readonly timeoutMs: number;
  /** Longest time of the whole call. */
  readonly totalTimeoutMs: number;
  readonly maxAnswerBytes: number;
}

/** An answer, its body read unless it is streamed. */
export interface AttemptAnswer {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly text: string;
  /** The open answer of a call that is streamed; whoever reads it stops the guard at its end. */
  readonly stream: { readonly body: object | null; readonly guard: StallGuard } | undefined;
}

/** Slowest line that an upload is waited for where the platform does not tell how far it is, in bytes a millisecond. */
const slowestBytesPerMs = 32;

/**
 * Makes an attempt in the time that is left. Throws an `EnvsnapError`, or anything when `signal` was aborted.
 */
export async function makeAttempt(
  settings: Settings,
  attempt: Attempt,
  remainingMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptAnswer> {
  const { timeoutMs, totalTimeoutMs } = attempt;
  const kind = attempt.upload ? 'stream' : 'try';
  const guard = new StallGuard({ timeoutMs, kind, remainingMs, totalTimeoutMs }, signal);
  let sourceFailure: EnvsnapError | undefined;
  let made: AttemptBody | undefined;
  let answer: AttemptAnswer | undefined;
  try {
    if (attempt.upload) {
      made = await attempt.upload.start({
        moved: () => guard.moved(),
        failed: (error) => {
          sourceFailure = error;
        },
      });
    }
    const response = await send(settings, attempt, made, guard);
    // workerd ends a body whose source failed as if it were whole.
    if (sourceFailure) throw sourceFailure;
    const redirect = describeRedirect(response, attempt.url);
    if (redirect) throw redirect;
    answer = await readAnswer(settings, attempt, response, guard);
    return answer;
  } catch (error) {
    if (error instanceof EnvsnapError || signal?.aborted) throw error;
    if (sourceFailure) throw sourceFailure;
    if (isRefusedRedirect(error)) throw redirectError();
    throw guard.failure() ?? (await connectionErrorOf(error, settings.baseUrl));
  } finally {
    if (answer?.stream) guard.endTotal();
    else guard.stop();
    made?.close();
  }
}

async function send(
  settings: Settings,
  attempt: Attempt,
  made: AttemptBody | undefined,
  guard: StallGuard,
): Promise<FetchResponse> {
  const { url, method, json } = attempt;
  const { signal } = guard;
  const headers = made ? { ...attempt.headers, ...made.headers } : attempt.headers;
  if (made && made.body instanceof Blob) {
    const { body, sent } = made;
    if (settings.sendsByBrowser) {
      const { sendByBrowser } = await import('../files/browser-upload.ts');
      return sendByBrowser(url, { method, headers, body, signal }, sent, attempt.maxAnswerBytes);
    }
    guard.allow(attempt.timeoutMs + body.size / slowestBytesPerMs);
  }
  const init: FetchInit = { method, headers, signal, redirect: 'manual' };
  const body = made?.body ?? json;
  if (body !== undefined) init.body = body as string | ReadableStream<Uint8Array>;
  if (body instanceof ReadableStream) {
    init.duplex = 'half';
    // Otherwise Node's fetch keeps a copy of all that was sent, to follow a redirect with.
    if (currentRuntime() === 'node') init.redirect = 'error';
  }
  return settings.fetch(url, init);
}

async function readAnswer(
  settings: Settings,
  attempt: Attempt,
  response: FetchResponse,
  guard: StallGuard,
): Promise<AttemptAnswer> {
  const { status } = response;
  const headers = response.headers as Headers;
  const ok = status >= 200 && status < 300;
  if (attempt.streamed && ok) {
    return { status, ok, headers, text: '', stream: { body: response.body, guard } };
  }
  const maxBytes = ok ? attempt.maxAnswerBytes : Math.min(errorAnswerBytes, attempt.maxAnswerBytes);
  try {
    const text = await readText(response, maxBytes, settings.trustsLength);
    return { status, ok, headers, text, stream: undefined };
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    if (ok) throw answerTooLarge(attempt.operation, maxBytes);
    return { status, ok, headers, text: '', stream: undefined };
  }
}
