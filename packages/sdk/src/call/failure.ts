// Turns what went wrong in an attempt into the SDK's errors: answers of something else, and connections that failed.

import { ConnectionError, type UnexpectedAnswer, UnexpectedResponseError, withoutKeys } from '../errors.ts';
import type { FetchResponse } from '../platform-types.ts';
import type { CalledOperation } from '../settings.ts';
import { describeMismatch, type Shape } from './answer-shape.ts';

/** An answer, its body as text. `secrets` are what must not be in an error of it. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly secrets: readonly string[];
}

/** The text without keys and secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), withoutKeys(text));
}

const whereTo = 'Is baseUrl the address of an envsnap server?';

/** The JSON of a good answer of the shape that the contract gives it; any JSON where `shape` is undefined. */
export function parseAnswer(
  operation: CalledOperation,
  shape: Shape | undefined,
  answer: ReceivedAnswer,
): unknown {
  const { status, headers, text, secrets } = answer;
  const unexpected = (message: string) =>
    new UnexpectedResponseError(message, { status, headers, text: withoutSecrets(text, secrets) });
  const value = parseJson(text);
  if (value === undefined || (shape && (typeof value !== 'object' || value === null))) {
    const type = headers.get('content-type')?.split(';', 1)[0] || 'no content type';
    const what = shape ? 'that is no JSON object' : 'that is no JSON';
    throw unexpected(`The server answered ${status} with ${type} ${what}. ${whereTo}`);
  }
  const problem = shape && describeMismatch(shape, value);
  if (problem)
    throw unexpected(`The answer to ${operation} is not one of an envsnap server: ${problem}. ${whereTo}`);
  return value;
}

/** The value of a JSON text; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of an answer that has more bytes than were allowed. */
export function answerTooLarge(
  operation: CalledOperation,
  maxBytes: number,
  answer: UnexpectedAnswer,
): UnexpectedResponseError {
  const size = maxBytes >= 1024 * 1024 ? `${Math.round(maxBytes / 1024 / 1024)} MiB` : `${maxBytes} bytes`;
  return new UnexpectedResponseError(
    `The answer to ${operation} is larger than ${size}, so the rest of it was not read. ${whereTo} If it is, ask for less at once or raise maxAnswerBytes.`,
    answer,
  );
}

/** The error of a redirect, which is never followed; undefined for any other answer. */
export function describeRedirect(
  response: FetchResponse & { readonly type?: string },
  url: string,
): UnexpectedResponseError | undefined {
  const { status, type, headers } = response;
  if (type !== 'opaqueredirect' && !(status >= 300 && status < 400 && status !== 304)) return undefined;
  const location = headers.get('location') ?? '';
  return redirectError(URL.canParse(location, url) ? new URL(location, url).origin : undefined, {
    status,
    headers,
  });
}

/** The error of a redirect to an address, where that is known. */
export function redirectError(origin?: string, answer?: UnexpectedAnswer): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `The server redirects${origin ? ` to ${origin}` : ''}, which is not followed because the key would go there too. Set baseUrl to the final address.`,
    answer,
  );
}

/** Whether fetch failed because it was told to fail at a redirect. Not every platform reports it. */
export function isRefusedRedirect(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'unexpected redirect';
}

/** The error of a connection that could not be made or broke off. */
export async function connectionErrorOf(cause: unknown, baseUrl: string): Promise<ConnectionError> {
  const { code, message } = innermost(cause);
  let reason = code ?? message;
  if (code !== undefined) {
    const { reasons } = await import('./connection-reasons.ts');
    reason = reasons[code] ?? code;
  }
  return new ConnectionError(`No answer from ${baseUrl}: ${reason}`, { cause });
}

/** Code and message of the innermost error that has one; `fetch` wraps it once or twice. */
export function innermost(error: unknown): { code: string | undefined; message: string } {
  let code: string | undefined;
  let message = 'unknown reason';
  let next = error;
  for (let depth = 0; depth < 5 && typeof next === 'object' && next !== null; depth += 1) {
    const inner = next as { code?: unknown; message?: unknown; cause?: unknown; errors?: unknown };
    if (typeof inner.code === 'string') code = inner.code;
    if (typeof inner.message === 'string' && inner.message !== '') message = inner.message;
    next = inner.cause ?? (Array.isArray(inner.errors) ? inner.errors[0] : undefined);
  }
  return { code, message };
}
