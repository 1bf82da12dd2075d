// Writes answers: JSON in one write with its length, errors in the one shape that every error has.

import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type ErrorBody, type ErrorDetail, errorCodes } from '@envsnap/shared';
import { AppError } from '../app-error.ts';
import type { JsonText } from '../json-text.ts';
import { endWhenStalled } from './stalled-reader.ts';

export function sendJson(response: ServerResponse, status: number, json: string): void {
  const bytes = Buffer.byteLength(json);
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes);
  response.setHeader('Cache-Control', 'no-store');
  // As text, not as bytes: Node.js then sends the head and the body in one write. ASCII is the same in both encodings, but
  // of Latin-1 it writes 16 KiB at once, of UTF-8 a third of that; for more it makes a buffer and learns of the end later.
  response.end(json, bytes === json.length ? 'latin1' : 'utf8');
}

/** Bytes that are written at once; between two pieces, other requests get their turn. */
const pieceLength = 128 * 1024;

/** Answers from this length on are written in pieces, as fast as the caller takes them. */
export const longAnswer = 2 * pieceLength;

/** Sends long JSON in pieces. Resolves when the last is written, or the caller is gone. */
export async function sendLongJson(response: ServerResponse, status: number, json: JsonText): Promise<void> {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const parts = json.parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, part) => sum + part.length, 0),
  );
  response.setHeader('Cache-Control', 'no-store');
  endWhenStalled(response);
  for (const part of parts) {
    for (let start = 0; start < part.length && !response.closed; start += pieceLength) {
      if (!response.write(part.subarray(start, start + pieceLength))) await drained(response);
      else await setImmediate();
    }
  }
  response.end();
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      response.off('drain', settle);
      response.off('close', settle);
      resolve();
    };
    response.once('drain', settle);
    response.once('close', settle);
  });
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

/** Answers with an error, or cuts the connection when an answer has begun already. */
export function sendError(response: ServerResponse, error: unknown, requestId: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = describeError(error, requestId);
  for (const name of ['Accept-Ranges', 'Content-Disposition', 'ETag', 'Content-Type'])
    response.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, JSON.stringify(body));
}
