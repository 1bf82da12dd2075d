// Recognises the caller of a request and counts the request, in one transaction: every request pays for this.

import { authenticate } from '../api-keys/service.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import type { CountedRequest } from '../infra/http/admission.ts';
import { admitSubject, type RateLimits } from './rate-limiter.ts';

/** Counts a request of the key, or of the address when there is no key or nobody has it. */
export type CountRequest = (apiKey: string | undefined, address: string) => Promise<CountedRequest>;

/**
 * Creates the step. Commits survive a kill of the process, but skip the wait for the disk. `addressLimits` hold for
 * callers without a valid key.
 */
export function createCountRequest(database: Database, addressLimits: RateLimits): CountRequest {
  return async (apiKey, address) => {
    try {
      return await transact((executor) => count(executor, apiKey, address));
    } catch (error) {
      // The key and its project were deleted between recognising it and making its first counters.
      if (!database.dialect.isForeignKeyViolation(error)) throw error;
      return await transact((executor) => count(executor, undefined, address));
    }
  };

  function transact(work: (executor: Executor) => Promise<CountedRequest>): Promise<CountedRequest> {
    return database.transact(work, { durability: 'process' });
  }

  async function count(
    executor: Executor,
    apiKey: string | undefined,
    address: string,
  ): Promise<CountedRequest> {
    const principal = apiKey === undefined ? undefined : await authenticate(executor, apiKey);
    if (!principal) {
      const subject = { id: address, kind: 'address', projectId: null } as const;
      return { principal, decision: await admitSubject(executor, subject, addressLimits) };
    }
    const { apiKeyId, projectId, maxRequestsPerMinute, maxRequestsPerDay } = principal;
    const subject = { id: apiKeyId, kind: 'key', projectId } as const;
    const limits = { perMinute: maxRequestsPerMinute, perDay: maxRequestsPerDay };
    return { principal, decision: await admitSubject(executor, subject, limits) };
  }
}
