// Turns a response with an error status into the SDK's error; loaded when the first one arrives.

import type { ErrorDetail } from '../contract/types.ts';
import {
  ApiError,
  type ApiErrorInit,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  QuotaError,
  RateLimitError,
  ServerError,
  ValidationError,
} from '../errors.ts';
import { parseJson, type ReceivedAnswer, withoutSecrets } from './failure.ts';
import { retryAfterSecondsOf } from './retry.ts';
import type { CalledOperation } from './transport-event.ts';

/** The error of a response with an error status. */
export function errorOfAnswer(operation: CalledOperation, answer: ReceivedAnswer): ApiError {
  const { status, text, secrets } = answer;
  const clean = (value: string) => withoutSecrets(value, secrets);
  const headers = new Headers();
  answer.headers.forEach((value, name) => {
    // Headers hold no characters beyond Latin-1.
    headers.append(name, clean(value).replaceAll('…', '...'));
  });
  const body = parseJson(clean(text)) ?? (text === '' ? undefined : clean(text));
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null && !Array.isArray(body)
      ? (body as Record<string, unknown>)
      : {};
  const details = readDetails(fields.details);
  const message = typeof fields.error === 'string' ? fields.error : `The server responded with ${status}`;
  const bodyRetryAfter = typeof fields.retryAfter === 'number' ? fields.retryAfter : undefined;
  return createApiError({
    status,
    operation,
    message: withDetails(message, details),
    code: typeof fields.code === 'string' && /^\w{1,100}$/.test(fields.code) ? fields.code : undefined,
    requestId:
      headers.get('x-request-id') ?? (typeof fields.requestId === 'string' ? fields.requestId : undefined),
    retryAfterSeconds: retryAfterSecondsOf(headers, Date.now()) ?? bodyRetryAfter,
    details,
    headers,
    body,
  });
}

function readDetails(details: unknown): ErrorDetail[] {
  if (!Array.isArray(details)) return [];
  return details.filter(
    (detail: unknown): detail is ErrorDetail =>
      typeof detail === 'object' &&
      detail !== null &&
      typeof (detail as Record<string, unknown>).path === 'string' &&
      typeof (detail as Record<string, unknown>).message === 'string',
  );
}

const classByStatus: Readonly<Record<number, typeof ApiError>> = {
  400: ValidationError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  412: ConflictError,
  413: ValidationError,
  415: ValidationError,
  422: ConflictError,
  429: RateLimitError,
  431: ValidationError,
};

/** The error of a response, with the class for its status and code. */
export function createApiError(init: ApiErrorInit): ApiError {
  const { status, code } = init;
  if (code?.endsWith('_quota_exceeded')) return new QuotaError(init);
  if (code === 'too_much_work') return new ValidationError(init);
  const Class = classByStatus[status] ?? (status >= 500 ? ServerError : ApiError);
  return new Class(init);
}

/** The server's text already names the first wrong field; this adds the others. */
function withDetails(message: string, details: readonly ErrorDetail[]): string {
  const others = details.filter((detail) => !message.endsWith(`${detail.path} ${detail.message}`));
  const fields = others.map((detail) => `${detail.path} ${detail.message}`.trim()).join('; ');
  if (fields === '') return message;
  return others.length < details.length ? `${message}; ${fields}` : `${message} (${fields})`;
}
