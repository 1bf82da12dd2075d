// Decides whether a failed attempt is worth another, and when: pure. How many there are at most, ky counts. docs/specification.md §9; docs/decisions/0010-sdk.md.

import { parseRetryAfter } from '@envsnap/shared/retry-after';
import { type ErrorCode, errorCodes } from '../contract/error-codes.ts';
import { ApiError, ConnectionError, type EnvsnapError, TimeoutError } from '../errors.ts';

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
  if (!mayRepeat(error, context.repeatable)) return undefined;
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
    return isKnown(error.code) ? errorCodes[error.code] : gatewayStatuses.has(error.status);
  }
  if (repeatable === 'refused') return false;
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.limit !== 'total');
}

function isKnown(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(errorCodes, code);
}

/** Whether the server may have done what was asked although no answer of it came. */
export function answerWasLost(error: EnvsnapError): boolean {
  return (
    error instanceof ConnectionError ||
    error instanceof TimeoutError ||
    (error instanceof ApiError && !isKnown(error.code) && (error.status === 502 || error.status === 504))
  );
}

/**
 * Whole seconds that an answer's `Retry-After` asks for; a date is measured against the answer's own `Date`, so that a
 * wrong clock here does no harm. Undefined when there is none, or none that can be read.
 */
export function retryAfterSecondsOf(headers: Headers, nowMs: number): number | undefined {
  const serverNowMs = Date.parse(headers.get('date') ?? '');
  const from = Number.isNaN(serverNowMs) ? nowMs : serverNowMs;
  const delayMs = parseRetryAfter(headers.get('retry-after'), from);
  return delayMs === undefined ? undefined : Math.ceil(delayMs / 1000);
}
