// Every error that the SDK throws. Messages are for people and never hold a key; programs look at the class and `code`.

import type { ErrorCode } from './contract/error-codes.ts';
import type { OperationName } from './contract/routes.ts';
import type { ErrorDetail } from './contract/types.ts';

/** Base class of the SDK's errors. */
export class EnvsnapError extends Error {
  override name = 'EnvsnapError';
  /**
   * The `Idempotency-Key` of a creating call that failed. Repeat the call with it, and it takes effect once even if only its
   * response was lost: within 24 hours, or within 10 minutes if the response holds a secret. Not shown when the error is printed,
   * because the key of a `bootstrap` gives access to its response.
   */
  declare readonly idempotencyKey?: string;

  constructor(message: string, options?: { readonly cause?: unknown }) {
    super(withoutKeys(message), options);
  }
}

/** The call itself is wrong: a malformed key, a bad address, an option out of range. Nothing was sent. */
export class UsageError extends EnvsnapError {
  override name = 'UsageError';
}

/** No response came, or it broke off: the server cannot be reached, or the connection was lost. */
export class ConnectionError extends EnvsnapError {
  override name = 'ConnectionError';
}

/**
 * A time limit was reached: `try` for one attempt, `total` for the call with its retries, `stream` if no byte came for too long.
 */
export class TimeoutError extends EnvsnapError {
  override name = 'TimeoutError';
  readonly limit: 'try' | 'total' | 'stream';
  readonly limitMs: number;

  constructor(limit: 'try' | 'total' | 'stream', limitMs: number) {
    const what = { try: 'No response within', total: 'Not finished within', stream: 'No data for' }[limit];
    super(`${what} ${limitMs / 1000} s`);
    this.limit = limit;
    this.limitMs = limitMs;
  }
}

/** The caller's signal stopped the call; `cause` is the signal's reason. */
export class AbortError extends EnvsnapError {
  override name = 'AbortError';
}

/** The response is not from an envsnap server: a redirect, an HTML page, broken JSON, other fields, far too many bytes. */
export class UnexpectedResponseError extends EnvsnapError {
  override name = 'UnexpectedResponseError';
  /** Status of the response; undefined if the platform hides it. */
  readonly status: number | undefined;
  /** The request's id in the server's log, if the response has one. */
  readonly requestId: string | undefined;
  /** The first 500 characters of the body, as far as it was read, without keys. Empty for JSON, which may hold secrets. */
  readonly bodyStart: string;

  constructor(message: string, answer?: UnexpectedAnswer) {
    super(message);
    this.status = answer?.status;
    this.requestId = answer?.headers.get('x-request-id') ?? undefined;
    const text = answer?.text ?? '';
    this.bodyStart = /^\s*[[{"]/.test(text) ? '' : withoutKeys(text).slice(0, 500);
  }
}

/** An unexpected response, with its body as far as it was read. */
export interface UnexpectedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly text?: string;
}

/** The bytes of a download do not have the checksum that the server stored. */
export class ChecksumError extends EnvsnapError {
  override name = 'ChecksumError';
}

/** The content of the server's error response. */
export interface ApiErrorInit {
  readonly status: number;
  /** The server's text. */
  readonly message: string;
  readonly code?: string | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly details?: readonly ErrorDetail[] | undefined;
  readonly operation: OperationName | 'request';
  /** The response's headers, without keys. Default: none. */
  readonly headers?: Headers | undefined;
  /** The response's JSON or text, without keys. */
  readonly body?: unknown;
}

/** The server refused or failed; `status` and `code` say how. docs/specification.md §2. */
export class ApiError extends EnvsnapError {
  override name = 'ApiError';
  readonly status: number;
  /** A code of the table of error codes, or of a newer server; undefined if the response is not the server's. */
  readonly code: ErrorCode | (string & {}) | undefined;
  /** The request's id in the server's log. */
  readonly requestId: string | undefined;
  /** Whole seconds until the same call may succeed, if the server said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The fields that are wrong, for a call that failed validation. */
  readonly details: readonly ErrorDetail[];
  /** The operation that was called; `request` for `client.request()`. */
  readonly operation: OperationName | 'request';
  // Not enumerable, so that a printed error stays readable.
  readonly #headers: Headers;
  readonly #body: unknown;

  constructor(init: ApiErrorInit) {
    super(init.message);
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId;
    this.retryAfterSeconds = init.retryAfterSeconds;
    this.details = init.details ?? [];
    this.operation = init.operation;
    this.#headers = init.headers ?? new Headers();
    this.#body = init.body;
  }

  /** The headers of the response. */
  get headers(): Headers {
    return this.#headers;
  }

  /** The body of the response: its JSON, else its text; undefined if there was none or far too much. */
  get body(): unknown {
    return this.#body;
  }
}

/** 401: no key, an unknown or revoked one, or a wrong bootstrap token. */
export class AuthenticationError extends ApiError {
  override name = 'AuthenticationError';
}
/** 403: the role does not allow it, the key belongs to another project, or the target is protected. */
export class PermissionError extends ApiError {
  override name = 'PermissionError';
}
/** 403 with a quota's code: the project is full. */
export class QuotaError extends ApiError {
  override name = 'QuotaError';
}
/** 404: no such resource in this project, or no such path. */
export class NotFoundError extends ApiError {
  override name = 'NotFoundError';
}
/** 400, 413, 415, 431, and 422 `too_much_work`: the same request will be refused again. */
export class ValidationError extends ApiError {
  override name = 'ValidationError';
}
/** 409, 422: the idempotency key is in use or came with another body. 412: `If-Match` does not match. */
export class ConflictError extends ApiError {
  override name = 'ConflictError';
}
/** 429: too many requests; see `retryAfterSeconds`. */
export class RateLimitError extends ApiError {
  override name = 'RateLimitError';
}
/** 5xx: the server, or a proxy in front of it, failed. */
export class ServerError extends ApiError {
  override name = 'ServerError';
}

/** The text without anything that looks like a key. */
export function withoutKeys(text: string): string {
  return text.replace(/mk_[0-9a-f]{16,}/gi, 'mk_…');
}
