// Writes all responses, so that bytes that a caller has not read count as memory of its request. Sends JSON in one write with its
// length, and gives all errors the same shape.

import type { ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { type ErrorBody, type ErrorDetail, errorCodes } from '@envsnap/shared';
import { AppError } from '../app-error.ts';
import type { JsonText } from '../json-text.ts';
import { contextOf } from './request-context.ts';

/** Bytes that are written at once; between two pieces, other requests get their turn. */
const pieceLength = 128 * 1024;

/** Responses of this length or more are refused if there is no memory for them, and written as fast as the caller reads them. */
export const longAnswer = 2 * pieceLength;

/** Maximum unread bytes of a stream, in its own buffers and those of the connection. */
const streamBytes = 2 * pieceLength;

/** Listeners for one event of a response: a pipeline adds half a dozen to those that watch its end. */
const mostListeners = 20;

/** Ends a response with its body. Bytes that the caller does not read at once count; beyond the budget, the connection is cut. */
export function endWith(
  response: ServerResponse,
  body: string | Uint8Array,
  encoding: BufferEncoding = 'utf8',
): void {
  const { hold } = contextOf(response.req);
  if (body.length >= longAnswer) hold(body.length);
  response.end(body, encoding);
  try {
    hold(response.writableLength);
  } catch {
    // Not the response: one that waits for others on its connection would keep its bytes until its turn.
    response.req.socket.destroy();
  }
}

/** The same for bytes that all callers share, which therefore do not count. */
export function endWithShared(response: ServerResponse, bytes: Buffer): void {
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
}

/**
 * Sends a stream as fast as the caller takes it. `bytes` is what its source keeps in memory. Resolves when the last byte is
 * written, or the caller is gone. Errors: `server_busy`, those of the stream, and the reason of `signal`.
 */
export async function sendStream(
  response: ServerResponse,
  bytes: number,
  source: Readable,
  { through = [], signal }: { through?: Duplex[]; signal?: AbortSignal } = {},
): Promise<void> {
  contextOf(response.req).hold(bytes + streamBytes);
  // Pipelines listen in many places; above ten, Node.js writes a warning into the log.
  response.setMaxListeners(mostListeners);
  try {
    await pipeline([source, ...through, response], { ...(signal && { signal }) });
  } catch (error) {
    signal?.throwIfAborted();
    // A caller that disconnects ends the response. That is not a failure.
    if (!isCallerGone(error)) throw error;
  }
}

const headersOfContent =
  'Accept-Ranges Content-Disposition Content-Encoding Content-Range ETag Content-Type'.split(' ');

function isCallerGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(code));
}

function sendJson(response: ServerResponse, status: number, json: string): void {
  const bytes = Buffer.byteLength(json);
  setJsonHeaders(response, status, bytes);
  // As text, not as bytes: Node.js then sends the head and the body in one write. ASCII is the same in both encodings, but
  // it writes 16 KiB of Latin-1 at once, and only a third of that of UTF-8; longer text needs a buffer and ends later.
  endWith(response, json, bytes === json.length ? 'latin1' : 'utf8');
}

export async function sendJsonText(response: ServerResponse, status: number, json: JsonText): Promise<void> {
  if (json.length < longAnswer) return sendJson(response, status, json.text);
  contextOf(response.req).hold(json.length);
  const parts = json.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  setJsonHeaders(
    response,
    status,
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  await sendStream(response, json.length, Readable.from(piecesOf(parts)));
}

async function* piecesOf(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    for (let start = 0; start < part.length; start += pieceLength) {
      yield part.subarray(start, start + pieceLength);
      await setImmediate();
    }
  }
}

function setJsonHeaders(response: ServerResponse, status: number, bytes: number): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  response.setHeader('Cache-Control', 'no-store');
}

/** Body and headers of an error. Only an `AppError`'s text reaches the caller; anything else is `internal_error`. */
export function describeError(error: unknown, requestId: string) {
  const known = error instanceof AppError ? error : new AppError('internal_error', 'Internal server error');
  const { status } = errorCodes[known.code];
  const headers: Record<string, string> = { ...known.headers };
  const body: { -readonly [K in keyof ErrorBody]: ErrorBody[K] } = {
    error: known.message,
    code: known.code,
    requestId,
  };
  if (known.details) body.details = known.details as ErrorDetail[];
  if (known.retryAfterSeconds !== undefined) {
    body.retryAfter = known.retryAfterSeconds;
    headers['Retry-After'] = String(known.retryAfterSeconds);
  }
  if (status === 401)
    headers['WWW-Authenticate'] = 'ApiKey realm="envsnap", header="X-API-Key", Bearer realm="envsnap"';
  return { status, headers, body };
}

/** Responds with an error, or cuts the connection if the response has already begun. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = describeError(error, requestId);
  for (const name of headersOfContent) response.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, JSON.stringify(body));
}
