// Turns an answer with an error status into the SDK's error; loaded with the first of them.

import { type ApiError, createApiError } from '../errors.ts';
import type { CalledOperation } from '../settings.ts';
import { parseJson, type ReceivedAnswer, withoutSecrets } from './failure.ts';
import { retryAfterSecondsOf } from './retry.ts';

/** The error of an answer with an error status. */
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
  const bodyRetryAfter = typeof fields.retryAfter === 'number' ? fields.retryAfter : undefined;
  return createApiError({
    status,
    operation,
    message: typeof fields.error === 'string' ? fields.error : `The server answered ${status}`,
    code: typeof fields.code === 'string' && /^\w{1,100}$/.test(fields.code) ? fields.code : undefined,
    requestId:
      headers.get('x-request-id') ?? (typeof fields.requestId === 'string' ? fields.requestId : undefined),
    retryAfterSeconds: retryAfterSecondsOf(headers, Date.now()) ?? bodyRetryAfter,
    details: readDetails(fields.details),
    headers,
    body,
  });
}

function readDetails(details: unknown): { path: string; message: string }[] {
  if (!Array.isArray(details)) return [];
  return details.filter(
    (detail: unknown): detail is { path: string; message: string } =>
      typeof detail === 'object' &&
      detail !== null &&
      typeof (detail as Record<string, unknown>).path === 'string' &&
      typeof (detail as Record<string, unknown>).message === 'string',
  );
}
