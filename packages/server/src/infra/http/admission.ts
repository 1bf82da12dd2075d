// Admits a request: recognises the caller, counts the request against the caller's limits, and refuses it beyond them.

import type { Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf, type Principal, type RequestOrigin } from './request-context.ts';

interface AdmissionDecision {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly refusal: { readonly window: 'minute' | 'day'; readonly retryAfterSeconds: number } | undefined;
}

export interface CountedRequest {
  readonly principal: Principal | undefined;
  readonly decision: AdmissionDecision;
}

export interface AdmissionDeps {
  /** Recognises the key and counts the request against its limits; against the address's when there is none or it is unknown. */
  readonly count: (
    apiKey: string | undefined,
    address: string,
    keyHash?: string | undefined,
  ) => Promise<CountedRequest>;
  /** Notes a call with a key that is not recognised, and returns the reason. Never rejects. */
  readonly noteUnknownKey: (apiKey: string, origin: RequestOrigin) => Promise<'unknown' | 'expired'>;
  /** Requests a minute for callers without a key: the limit that exempt responses show. */
  readonly addressLimitPerMinute: number;
}

/** Admits a request to an operation; without one it needs no key, but the limits apply. `keyHash` is the key of a session. */
export type Admit = (
  request: Request,
  response: Response,
  operation: Operation | undefined,
  keyHash?: string,
) => Promise<void>;

/** Creates the step. Errors: `missing_api_key`, `invalid_api_key`, `conflicting_credentials`, `rate_limited`. */
export function createAdmission(deps: AdmissionDeps): Admit {
  const uncounted = Object.entries(uncountedHeaders(deps.addressLimitPerMinute));
  return async (request, response, operation, keyHash) => {
    const context = contextOf(request);
    if (operation?.group === 'service') return showUncounted(response);
    const credentials = operation?.access === 'public' ? undefined : readCredentials(request);
    const apiKey = typeof credentials === 'string' ? credentials : undefined;
    const counting = deps.count(keyHash === undefined ? apiKey : undefined, context.clientAddress, keyHash);
    const { principal, decision } = await counting.catch((error: unknown) => {
      showUncounted(response);
      throw error;
    });
    context.principal = principal;
    setHeaders(response, decision);
    if (decision.refusal) throw new RateLimited(decision.refusal);
    if (principal || !operation || operation.access === 'public') return;
    if (credentials instanceof AppError) throw credentials;
    const reason = await deps.noteUnknownKey(apiKey as string, context.origin);
    throw new AppError(
      'invalid_api_key',
      reason === 'expired' ? 'The API key has expired; ask an owner or admin for another' : 'Invalid API key',
    );
  };

  /** Shown by requests that are never refused, and if the database is unavailable. */
  function showUncounted(response: Response): void {
    for (const [name, value] of uncounted) response.setHeader(name, value);
  }
}

type Refusal = NonNullable<AdmissionDecision['refusal']>;

export class RateLimited extends AppError {
  readonly window: Refusal['window'];

  constructor({ window, retryAfterSeconds }: Refusal) {
    super('rate_limited', `Rate limit exceeded (per-${window})`, undefined, { retryAfterSeconds });
    this.window = window;
  }
}

/** The limit's headers of a response that is not counted. */
export function uncountedHeaders(limitPerMinute: number): Readonly<Record<string, string>> {
  const limit = String(limitPerMinute);
  return { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': limit, 'X-RateLimit-Reset': '1' };
}

function setHeaders(response: Response, decision: AdmissionDecision): void {
  response.setHeader('X-RateLimit-Limit', decision.limit);
  response.setHeader('X-RateLimit-Remaining', decision.remaining);
  response.setHeader('X-RateLimit-Reset', decision.resetSeconds);
}

/** The key of a request, or throws the error for its headers. docs/specification.md §1. */
function readCredentials(request: Request): string | AppError {
  const header = request.headers['x-api-key'];
  const apiKey = typeof header === 'string' ? header.trim() : undefined;
  const bearer = /^bearer +(.+)$/is.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (apiKey && bearer && apiKey !== bearer) {
    return new AppError(
      'conflicting_credentials',
      'X-API-Key and Authorization hold different keys; send only one of them',
    );
  }
  return apiKey || bearer || new AppError('missing_api_key', 'Missing X-API-Key header');
}
