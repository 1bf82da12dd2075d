// Lets a request in: finds out who calls, counts it against the caller's limits, and refuses what may not go on.

import type { Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf, type Principal } from './request-context.ts';

/** The outcome of the rate limit, as headers and refusals need it. */
export interface AdmissionDecision {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly refusal: { readonly window: 'minute' | 'day'; readonly retryAfterSeconds: number } | undefined;
}

export interface AdmissionDeps {
  readonly authenticate: (apiKey: string) => Promise<Principal | undefined>;
  /** Undefined when the key's project was deleted a moment ago. */
  readonly admitKey: (principal: Principal) => Promise<AdmissionDecision | undefined>;
  readonly admitAddress: (address: string) => Promise<AdmissionDecision>;
  /** Requests a minute for callers without a key: what exempt answers show as their limit. */
  readonly addressLimitPerMinute: number;
}

/** Admits a request to an operation; without one (an unknown path) no key is needed, but the limits hold. */
export type Admit = (request: Request, response: Response, operation: Operation | undefined) => Promise<void>;

/** Creates the step. Errors: `missing_api_key`, `invalid_api_key`, `conflicting_credentials`, `rate_limited`. */
export function createAdmission(deps: AdmissionDeps): Admit {
  const uncounted = Object.entries(uncountedHeaders(deps.addressLimitPerMinute));
  return async (request, response, operation) => {
    // What is never refused shows these, and so does the answer when the database cannot be asked.
    for (const [name, value] of uncounted) response.setHeader(name, value);
    if (operation?.group === 'service') return;
    const context = contextOf(request);
    const credentials = operation?.access === 'public' ? undefined : readCredentials(request);
    const principal = typeof credentials === 'string' ? await deps.authenticate(credentials) : undefined;
    const decisionOfKey = principal && (await deps.admitKey(principal));
    if (decisionOfKey) context.principal = principal;
    const decision = decisionOfKey ?? (await deps.admitAddress(context.clientAddress));
    setHeaders(response, decision);
    if (decision.refusal) {
      const { window, retryAfterSeconds } = decision.refusal;
      throw new AppError('rate_limited', `Rate limit exceeded (per-${window})`, undefined, {
        retryAfterSeconds,
      });
    }
    if (context.principal || !operation || operation.access === 'public') return;
    if (credentials instanceof AppError) throw credentials;
    throw new AppError('invalid_api_key', 'Invalid API key');
  };
}

/** The limit's headers of an answer that is not counted. */
export function uncountedHeaders(limitPerMinute: number): Readonly<Record<string, string>> {
  const limit = String(limitPerMinute);
  return { 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': limit, 'X-RateLimit-Reset': '1' };
}

function setHeaders(response: Response, decision: AdmissionDecision): void {
  response.setHeader('X-RateLimit-Limit', decision.limit);
  response.setHeader('X-RateLimit-Remaining', decision.remaining);
  response.setHeader('X-RateLimit-Reset', decision.resetSeconds);
}

/** The key of a request, or the error that its headers deserve. Decisions §1. */
function readCredentials(request: Request): string | AppError {
  const header = request.headers['x-api-key'];
  const apiKey = typeof header === 'string' ? header.trim() : undefined;
  const bearer = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1]?.trim();
  if (apiKey && bearer && apiKey !== bearer) {
    return new AppError(
      'conflicting_credentials',
      'X-API-Key and Authorization hold different keys; send only one of them',
    );
  }
  return apiKey || bearer || new AppError('missing_api_key', 'Missing X-API-Key header');
}
