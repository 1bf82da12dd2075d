// Decides whether and when a failed attempt is made again: pure. Decisions §9; docs/decisions/0010-sdk.md.

import { errorCodes } from './contract/error-codes.ts';
import { ApiError, ConnectionError, type EnvsnapError, TimeoutError } from './errors.ts';

/** Longest delay that is drawn before the first retry; doubles with each one. */
export const firstDelayMs = 500;
/** Longest delay that is drawn before any retry. */
export const longestDelayMs = 8000;
const gatewayStatuses: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * What may be sent twice. `always`: the effect of two is that of one. `refused`: only when the server said that it did
 * nothing (429). `never`: the body cannot be made again.
 */
export type Repeatability = 'always' | 'refused' | 'never';

export interface RetryContext {
  /** Attempts made so far, from 1. */
  readonly attempts: number;
  /** Attempts allowed after the first. */
  readonly retries: number;
  readonly repeatable: Repeatability;
  /** Milliseconds left of the total limit; may be infinite. */
  readonly remainingMs: number;
  /** A server that asks for a longer wait is not waited for. */
  readonly maxRetryAfterSeconds: number;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Milliseconds until the next attempt, or undefined when there is none. The delay is drawn from zero up to a bound that
 * doubles (full jitter); a server's `Retry-After` is a lower bound of it, and ends the call when it asks for more than
 * is allowed or left.
 */
export function retryDelayMs(error: EnvsnapError, context: RetryContext): number | undefined {
  if (context.attempts > context.retries || !mayRepeat(error, context.repeatable)) return undefined;
  const drawn = context.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (context.attempts - 1));
  const askedSeconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (askedSeconds !== undefined && askedSeconds > context.maxRetryAfterSeconds) return undefined;
  const delayMs = askedSeconds === undefined ? drawn : askedSeconds * 1000 + drawn / 4;
  return delayMs < context.remainingMs ? delayMs : undefined;
}

function mayRepeat(error: EnvsnapError, repeatable: Repeatability): boolean {
  if (repeatable === 'never') return false;
  if (error instanceof ApiError) {
    if (repeatable === 'refused') return error.status === 429;
    return error.code ? errorCodes[error.code] : gatewayStatuses.has(error.status);
  }
  if (repeatable === 'refused') return false;
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.limit !== 'total');
}

/** Whether the server may have done what was asked although no answer of it came. */
export function answerWasLost(error: EnvsnapError): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && !error.code && (error.status === 502 || error.status === 504))
  );
}

/**
 * Whole seconds of a `Retry-After` header: a number, or an HTTP date measured against the answer's own `Date` so that
 * a wrong clock here does no harm. Undefined when it is neither.
 */
export function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const atMs = /[a-z]/i.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(atMs)) return undefined;
  const serverNowMs = Date.parse(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(serverNowMs) ? nowMs : serverNowMs)) / 1000));
}
