// Makes one attempt of a call: a fresh body, no redirects, and a JSON answer read to its end, so that a torn answer fails
// like a lost connection and a file is never held in memory for a retry.

import type { OperationName } from '@envsnap/shared';
import { EnvsnapError, TimeoutError } from './errors.ts';
import { connectionErrorOf, describeRedirect, isRefusedRedirect, redirectError } from './failure.ts';
import type { Settings } from './settings.ts';
import { StallGuard } from './stall-guard.ts';

/** The body of one attempt. */
export interface AttemptBody {
  readonly body: BodyInit;
  readonly headers: Readonly<Record<string, string>>;
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
  /** True when `start` reports its progress, so that a stalled attempt can be told from a slow one. */
  readonly reportsProgress: boolean;
  /** Makes the body. */
  readonly start: (observer: BodyObserver) => AttemptBody;
}

/** One attempt, all that it needs. */
export interface Attempt {
  readonly operation: OperationName;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: string | undefined;
  readonly upload: BodySource | undefined;
  /** Return a good answer before its body is read. */
  readonly streamed: boolean;
  /** From 1. */
  readonly number: number;
  /** Longest time without a byte, for an upload; the transport limits the time of other attempts. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** Makes an attempt. Throws an `EnvsnapError`, or what `fetch` throws when the signal aborted. */
export async function makeAttempt(settings: Settings, attempt: Attempt): Promise<Response> {
  const { operation, url, method, upload, timeoutMs, signal, json } = attempt;
  const startedAt = performance.now();
  const guard = upload?.reportsProgress ? new StallGuard(timeoutMs, signal) : undefined;
  let sourceFailure: EnvsnapError | undefined;
  const observer: BodyObserver = {
    moved: () => guard?.moved(),
    failed: (error) => {
      sourceFailure = error;
    },
  };
  settings.onEvent({ type: 'request', operation, url, attempt: attempt.number });
  const made = upload?.start(observer);
  try {
    const response = await settings.fetch(url, {
      method,
      headers: {
        ...attempt.headers,
        ...made?.headers,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      signal: guard?.signal ?? signal,
      ...bodyOf(made?.body ?? json),
    });
    const { status, headers } = response;
    const redirect = describeRedirect(response, url);
    if (redirect) throw redirect;
    const answer = attempt.streamed && response.ok ? response : await readWhole(response);
    settings.onEvent({
      type: 'response',
      operation,
      url,
      attempt: attempt.number,
      status,
      requestId: headers.get('x-request-id') ?? undefined,
      durationMs: performance.now() - startedAt,
    });
    return answer;
  } catch (error) {
    if (error instanceof EnvsnapError || signal.aborted) throw error;
    if (sourceFailure) throw sourceFailure;
    if (isRefusedRedirect(error)) throw redirectError();
    throw guard?.stalled ? new TimeoutError('stream', timeoutMs) : connectionErrorOf(error, settings.baseUrl);
  } finally {
    guard?.stop();
    made?.close();
  }
}

/**
 * A redirect is never followed: it would carry the key to another address. With `manual` it can be described. A stream
 * takes `error` instead, since fetch otherwise keeps a copy of all that was sent, to follow a redirect with.
 */
function bodyOf(body: BodyInit | undefined): RequestInit & { duplex?: 'half' } {
  if (body instanceof ReadableStream) return { body, duplex: 'half', redirect: 'error' };
  return body === undefined ? { redirect: 'manual' } : { body, redirect: 'manual' };
}

/** Reads an answer to its end, so that one that breaks off fails within its attempt. */
async function readWhole(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}
