// Decides whether and when to retry a failed attempt. Pure; ky counts the attempts. docs/specification.md §9; docs/decisions/0017-sdk.md.

import { parseRetryAfter } from '@envsnap/shared/retry-after';
import { ApiError, ConnectionError, type EnvsnapError, TimeoutError } from '../errors.ts';
import { innermost } from './failure.ts';

/** Longest delay that is drawn before the first retry; doubles with each one. */
export const firstDelayMs = 500;
/** Longest delay that is drawn before any retry. */
export const longestDelayMs = 8000;

/** When a request may be sent again: `always`, `refused` (429: the server did nothing), `never` (its body can be read once). */
export type Repeatability = 'always' | 'refused' | 'never';

export interface RetryContext {
  /** Attempts made so far, from 1. */
  readonly attempts: number;
  readonly repeatable: Repeatability;
  /** Milliseconds left of the total limit; may be infinite. */
  readonly remainingMs: number;
  /** Longest `Retry-After` that the SDK waits for. */
  readonly maxRetryAfterSeconds: number;
  /** A number from 0 to below 1. */
  readonly random: () => number;
}

/**
 * Milliseconds until the next attempt, or undefined if there is none. The delay is drawn at random from zero up to a limit that
 * doubles (full jitter). A server's `Retry-After` is a lower bound, and ends the call if it is longer than allowed or than the
 * time left.
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
    return mayPass(error);
  }
  if (repeatable === 'refused') return false;
  return error instanceof ConnectionError || (error instanceof TimeoutError && error.limit !== 'total');
}

/** Whether the same call may succeed later. For two of the server's codes, the status alone does not say. */
function mayPass({ status, code }: ApiError): boolean {
  if (code === 'idempotency_key_in_use') return true;
  return (status >= 500 && status !== 501 && code !== 'database_damaged') || [408, 425, 429].includes(status);
}

/** The runtimes' codes for a connection that was never made, so that nothing was sent. */
const neverConnected = /REFUSED|ENOTFOUND|EAI_AGAIN|CONNECT_TIMEOUT|\(Connect\)/i;

/** Whether the server may have carried out the request although its response was lost. */
export function answerWasLost(error: EnvsnapError): boolean {
  if (error instanceof ConnectionError)
    return !neverConnected.test(Object.values(innermost(error.cause)).join());
  // A proxy that returns 503 did not forward the request.
  if (error instanceof ApiError)
    return error.code === undefined && error.status >= 500 && error.status !== 503;
  return error instanceof TimeoutError;
}

/** Whole seconds; a date is measured against the response's own `Date`, so that a wrong clock here does no harm. */
export function retryAfterSecondsOf(headers: Headers, nowMs: number): number | undefined {
  const serverNowMs = Date.parse(headers.get('date') ?? '');
  const from = Number.isNaN(serverNowMs) ? nowMs : serverNowMs;
  const delayMs = parseRetryAfter(headers.get('retry-after'), from);
  return delayMs === undefined ? undefined : Math.ceil(delayMs / 1000);
}
