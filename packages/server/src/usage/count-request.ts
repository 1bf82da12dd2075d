// Recognises the caller of a request and counts the request, in one transaction: every request pays for this.

import { AppError } from '../infra/app-error.ts';
import type { Database, Executor, WorkedTransaction } from '../infra/db/database.ts';
import { type AdmissionDeps, type CountedRequest, RateLimited } from '../infra/http/admission.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { findCaller } from './find-caller.ts';
import {
  admitOptimistically,
  admitSubject,
  admitUnsaved,
  type RateLimitSubject,
  type RateLimits,
} from './rate-limiter.ts';
import { createUnsavedCounters } from './unsaved-counters.ts';

/** Counts a request of the key, or of the address when there is no key or nobody has it. */
export type CountRequest = AdmissionDeps['count'];

/** A caller and what the limits say. */
type Recognised = Omit<CountedRequest, 'counted'>;

/** Counters that a transaction has taken from memory, to be put back if it fails. */
interface Taken {
  readonly subject: string;
  readonly counters: Buffer;
}

/**
 * Creates the step. Commits survive a kill of the process, but skip the wait for the disk. `addressLimits` hold for
 * callers without a valid key.
 */
export function createCountRequest(
  database: Database,
  addressLimits: RateLimits,
  /** Whether to count without a lock where nobody else counts the same caller: worth it where a round trip counts. */
  { optimistic }: { optimistic: boolean },
): CountRequest {
  const unsaved = createUnsavedCounters();
  /** Keys that are being counted by this process, so that it does not compete with itself. */
  const counting = new Map<string, number>();

  return async (apiKey, address, { changes }) => {
    // A change waits for its count within its transaction: that must not need a second connection by then.
    if (!optimistic || changes || apiKey === undefined) return countLocked(apiKey, address);
    const others = counting.get(apiKey) ?? 0;
    counting.set(apiKey, others + 1);
    const leave = () => {
      const left = (counting.get(apiKey) ?? 1) - 1;
      if (left > 0) counting.set(apiKey, left);
      else counting.delete(apiKey);
    };
    try {
      const found = others === 0 ? await countOptimistically(apiKey, address) : undefined;
      const counted = found ?? (await countLocked(apiKey, address));
      counted.counted.then(leave, leave);
      return counted;
    } catch (error) {
      leave();
      throw error;
    }
  };

  /** Undefined for a caller without counters, or without a valid key. */
  async function countOptimistically(apiKey: string, address: string): Promise<CountedRequest | undefined> {
    const caller = await findCaller(database, apiKey, { lock: false });
    if (!caller?.window) return undefined;
    const { principal } = caller;
    const { subject, limits } = limitsOf(principal, address);
    const { decision, stored } = admitOptimistically(database, subject, limits, caller.window);
    return { principal, decision, counted: stored.catch(() => false).then(countAgain) };

    /** Another server has counted the same caller meanwhile: then the lock decides. */
    async function countAgain(isStored: boolean): Promise<void> {
      if (isStored) return;
      const again = await countLocked(apiKey, address);
      if (!again.principal) throw new AppError('invalid_api_key', 'Invalid API key');
      if (again.decision.refusal) throw new RateLimited(again.decision.refusal);
      await again.counted;
    }
  }

  async function countLocked(apiKey: string | undefined, address: string): Promise<CountedRequest> {
    const taken: Taken[] = [];
    try {
      const { result, committed } = await transact((executor) => count(executor, apiKey, address, taken));
      return { ...result, counted: committed };
    } catch (error) {
      for (const { subject, counters } of taken) unsaved.restore(subject, counters);
      if (database.dialect.isDiskFull(error)) return countInMemory(apiKey, address);
      // The key and its project were deleted between recognising it and making its first counters.
      if (!database.dialect.isForeignKeyViolation(error)) throw error;
      const { result, committed } = await transact((executor) => count(executor, undefined, address, []));
      return { ...result, counted: committed };
    }
  }

  function transact(
    work: (executor: Executor) => Promise<Recognised>,
  ): Promise<WorkedTransaction<Recognised>> {
    return database.transactAhead(work, { durability: 'process' });
  }

  async function count(
    executor: Executor,
    apiKey: string | undefined,
    address: string,
    taken: Taken[],
  ): Promise<Recognised> {
    const { principal, subject, limits, window } = await recognise(executor, apiKey, address);
    const counters = unsaved.take(subject.id);
    if (counters) taken.push({ subject: subject.id, counters });
    const decision = await admitSubject(executor, subject, limits, counters, window);
    // A refused request writes nothing.
    if (counters && decision.refusal) unsaved.restore(subject.id, counters);
    return { principal, decision };
  }

  /** Reads must go on when nothing can be written any more. */
  async function countInMemory(apiKey: string | undefined, address: string): Promise<CountedRequest> {
    const { principal, subject, limits } = await recognise(database, apiKey, address);
    const decision = await admitUnsaved(database, subject, limits, unsaved);
    return { principal, decision, counted: Promise.resolve() };
  }

  /** Who calls, and whose limits count. */
  async function recognise(executor: Executor, apiKey: string | undefined, address: string) {
    const caller = apiKey === undefined ? undefined : await findCaller(executor, apiKey, { lock: true });
    return { principal: caller?.principal, window: caller?.window, ...limitsOf(caller?.principal, address) };
  }

  function limitsOf(principal: Principal | undefined, address: string) {
    const subject: RateLimitSubject = principal
      ? { id: principal.apiKeyId, kind: 'key', projectId: principal.projectId }
      : { id: address, kind: 'address', projectId: null };
    const limits = principal
      ? { perMinute: principal.maxRequestsPerMinute, perDay: principal.maxRequestsPerDay }
      : addressLimits;
    return { subject, limits };
  }
}
