// Turns failed attempts into the SDK's errors: responses that are not from an envsnap server, and failed connections.

import { type OperationName, type Route, routes } from '../contract/routes.ts';
import { ConnectionError, type UnexpectedAnswer, UnexpectedResponseError, withoutKeys } from '../errors.ts';
import type { FetchResponse } from '../platform-types.ts';
import type { CalledOperation } from './transport-event.ts';

/** A response, its body as text. `secrets` must not appear in its error. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly secrets: readonly string[];
}

export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, '…'), withoutKeys(text));
}

const whereTo = 'Is baseUrl the address of an envsnap server?';

/** The items of a list's response, and what identifies each: the SDK reads them to walk the list. */
export interface AnswerItems {
  readonly member: string;
  readonly id: string;
}

/** Test doubles of `fetch` often respond with `text/plain`, the default of `new Response(text)`. */
const jsonType = /^(?:application\/(?:[\w.-]+\+)?json|text\/plain)$/i;

/** The JSON of a successful response: an object, with the items that `list` names. For `client.request()`, any JSON. */
export function parseAnswer(
  operation: CalledOperation,
  list: AnswerItems | undefined,
  answer: ReceivedAnswer,
): unknown {
  const { status, headers, text, secrets } = answer;
  const unexpected = (message: string) =>
    new UnexpectedResponseError(message, { status, headers, text: withoutSecrets(text, secrets) });
  const type = headers.get('content-type')?.split(';', 1)[0]?.trim();
  const value = parseJson(text);
  const anyJson = operation === 'request';
  if (value === undefined || (!anyJson && !(isObject(value) && (!type || jsonType.test(type))))) {
    const what = anyJson ? 'that is not JSON' : 'that is not a JSON object';
    throw unexpected(
      `The server responded with ${status} and ${type || 'no content type'} ${what}. ${whereTo}`,
    );
  }
  const problem = anyJson ? undefined : describeProblem(operation, value as Record<string, unknown>, list);
  if (problem)
    throw unexpected(`The response to ${operation} is not from an envsnap server: ${problem}. ${whereTo}`);
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The part that this response lacks and that an envsnap server's would have. */
function describeProblem(
  operation: OperationName,
  answer: Record<string, unknown>,
  list: AnswerItems | undefined,
): string | undefined {
  if (list) return describeItems(answer, list);
  const { member } = routes[operation] as Route;
  return member === undefined || Object.hasOwn(answer, member) ? undefined : `${member} is missing`;
}

function describeItems(answer: Record<string, unknown>, { member, id }: AnswerItems): string | undefined {
  const items = answer[member];
  if (!Array.isArray(items)) return `${member} is ${items === undefined ? 'missing' : 'not a list'}`;
  const at = items.findIndex((item) => !isObject(item) || typeof item[id] !== 'string');
  return at < 0 ? undefined : `${member}[${at}].${id} is not a string`;
}

/** The value of a JSON text; undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The error of a response that has more bytes than were allowed. */
export function answerTooLarge(
  operation: CalledOperation,
  maxBytes: number,
  answer: UnexpectedAnswer,
): UnexpectedResponseError {
  const size = maxBytes >= 1024 * 1024 ? `${Math.round(maxBytes / 1024 / 1024)} MiB` : `${maxBytes} bytes`;
  return new UnexpectedResponseError(
    `The response to ${operation} is larger than ${size}, so the rest of it was not read. ${whereTo} If it is, ask for less at once or raise maxAnswerBytes.`,
    answer,
  );
}

/** The error of a redirect, which is never followed; undefined for any other response. */
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

/** The error of a redirect, with its target if that is known. */
export function redirectError(origin?: string, answer?: UnexpectedAnswer): UnexpectedResponseError {
  return new UnexpectedResponseError(
    `The server redirects${origin ? ` to ${origin}` : ''}, which is not followed because the key would go there too. Set baseUrl to the final address.`,
    answer,
  );
}

/** Whether fetch failed because of `redirect: 'error'`. Not every platform reports it. */
export function isRefusedRedirect(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && cause.message === 'unexpected redirect';
}

/** The error of a connection that failed or broke off. */
export function connectionErrorOf(cause: unknown, baseUrl: string): ConnectionError {
  const { code, message } = innermost(cause);
  const reason = code === undefined ? message : (reasons[code] ?? code);
  return new ConnectionError(`No response from ${baseUrl}: ${reason}`, { cause });
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

/** The reason for a code, as the end of a sentence about the server. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused. Is the server running there?',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its response was cut off',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there. Is it an http address?',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
};
