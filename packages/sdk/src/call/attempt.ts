// Makes one attempt of a call: no redirects, and a JSON response read to its end, so that an incomplete response fails like a
// lost connection and a file is never held in memory for a retry.

import type { Route } from '../contract/routes.ts';
import type { FetchInit, FetchResponse } from '../platform-types.ts';
import { currentRuntime } from '../runtime.ts';
import type { ResolvedLimits, Settings } from '../settings.ts';
import { BodyTooLargeError, errorAnswerBytes, readText } from './answer-text.ts';
import { answerTooLarge, describeRedirect, isRefusedRedirect, redirectError } from './failure.ts';
import type { CalledOperation } from './transport-event.ts';

/** A response. Its body is read, unless it succeeded and the call is streamed. */
export interface AnswerHead {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: Headers;
  readonly text: string;
  readonly response: FetchResponse;
}

type Body = string | Blob | ReadableStream<Uint8Array> | undefined;

/** The parts of an upload that an attempt needs. */
export interface Attempting {
  readonly request: Request;
  /** Longest time without a byte. */
  readonly timeoutMs: number;
  readonly maxAnswerBytes: number;
  readonly sendsByBrowser: boolean;
  /** Sends the request with its own body and headers. */
  readonly send: (
    signal: AbortSignal,
    body: Body,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<FetchResponse>;
  readonly read: (response: FetchResponse) => Promise<AnswerHead>;
}

/** A body that is too large to keep in memory; the code that sends it is loaded on use. */
export interface Upload {
  /** Whether the body can be sent a second time. */
  readonly repeatable: boolean;
  readonly attempt: (attempting: Attempting) => Promise<AnswerHead>;
  /** Releases the source, which may not have been read to its end. */
  readonly close: () => void;
}

/** Everything that a call needs. */
export interface Call {
  readonly operation: CalledOperation;
  readonly route: Route;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly upload: Upload | undefined;
  /** Return a successful response before its body is read. */
  readonly streamed: boolean;
  readonly limits: ResolvedLimits;
  /** Ends the call, even while it waits. */
  readonly signal: AbortSignal | undefined;
  readonly maxAnswerBytes: number;
  /** Secrets that must not appear in an error. */
  readonly secrets: readonly string[];
}

/** Sends the request. Throws an `EnvsnapError` that ends the attempt, or whatever `fetch` throws. */
export async function makeAttempt(settings: Settings, call: Call, request: Request): Promise<AnswerHead> {
  const { json, upload, limits, maxAnswerBytes } = call;
  const send: Attempting['send'] = async (signal, body, more) => {
    const headers = { ...Object.fromEntries(request.headers), ...more };
    const init: FetchInit = { method: request.method, headers, signal, redirect: 'manual' };
    if (body !== undefined) init.body = body as string | ReadableStream<Uint8Array>;
    if (body instanceof ReadableStream) {
      init.duplex = 'half';
      // Otherwise Node's fetch keeps a copy of the body, to follow a redirect with.
      if (currentRuntime() === 'node') init.redirect = 'error';
    }
    try {
      return await settings.fetch(request.url, init);
    } catch (error) {
      throw isRefusedRedirect(error) ? redirectError() : error;
    }
  };
  const read = (response: FetchResponse) => readAnswer(settings, call, response, request.url);
  if (!upload) return read(await send(request.signal, json === undefined ? undefined : await request.text()));
  const { timeoutMs } = limits;
  const { sendsByBrowser } = settings;
  return upload.attempt({ request, timeoutMs, maxAnswerBytes, sendsByBrowser, send, read });
}

async function readAnswer(
  settings: Settings,
  call: Call,
  response: FetchResponse,
  url: string,
): Promise<AnswerHead> {
  const redirect = describeRedirect(response, url);
  if (redirect) throw redirect;
  const { status } = response;
  const headers = response.headers as Headers;
  const ok = status >= 200 && status < 300;
  const answer = { status, ok, headers, text: '', response };
  if (call.streamed && ok) return answer;
  const maxBytes = ok ? call.maxAnswerBytes : Math.min(errorAnswerBytes, call.maxAnswerBytes);
  try {
    return { ...answer, text: await readText(response, maxBytes, settings.trustsLength) };
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    if (ok) throw answerTooLarge(call.operation, maxBytes, { ...answer, text: error.message });
    return answer;
  }
}
