// Writes answers: JSON in one write with its length, errors in the one shape that every error has.

import type { ServerResponse } from 'node:http';
import { type ErrorBody, type ErrorDetail, errorCodes } from '@envsnap/shared';
import { AppError } from '../app-error.ts';

/** JSON that is text already, such as stored columns joined into an answer; written as it is. */
export class JsonText {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON of an answer; `undefined` members are left out, as `JSON.stringify` does. */
export function toJson(value: unknown): string {
  return value instanceof JsonText ? value.text : JSON.stringify(value);
}

/** Sends JSON with the headers set so far. */
export function sendJson(response: ServerResponse, status: number, json: string): void {
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', Buffer.byteLength(json));
  response.setHeader('Cache-Control', 'no-store');
  // As text, not as bytes: Node.js then sends the head and the body in one write.
  response.end(json, 'utf8');
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
  for (const name of ['Content-Disposition', 'ETag', 'Content-Type']) response.removeHeader(name);
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  sendJson(response, status, JSON.stringify(body));
}
