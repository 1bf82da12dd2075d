// Recognises the caller of a request and counts the request, in one transaction: every request pays for this.

import { AppError } from '../infra/app-error.ts';
import type { Database, Executor, TransactOptions } from '../infra/db/database.ts';
import {
  type AdmissionDecision,
  type AdmissionDeps,
  type CountedRequest,
  RateLimited,
} from '../infra/http/admission.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { type Caller, createCountTogether } from './count-together.ts';
import { findCaller } from './find-caller.ts';
import { createGatheredWindows, type GatheredWindows } from './gathered-windows.ts';
import {
  admitSubject,
  admitUnsaved,
  createCounters,
  type RateLimitSubject,
  type RateLimits,
} from './rate-limiter.ts';
import { createUnsavedCounters } from './unsaved-counters.ts';

/** Counts a request of the key, or of the address when there is no key or it is unknown. */
export type CountRequest = AdmissionDeps['count'];

/** A caller and what the limits say. */
type Recognised = Omit<CountedRequest, 'counted'>;

/** How often a request is counted without a lock; each time, one of the servers that count its caller succeeds. */
const laneAttempts = 8;

function orderOf({ apiKey, address }: Caller): string {
  return apiKey ?? address;
}

/** Counters that a transaction has taken from memory, to be put back if it fails. */
interface Taken {
  readonly subject: string;
  readonly counters: Buffer;
}

/**
 * Creates the step. Commits survive a kill of the process, but skip the wait for the disk. `addressLimits` hold for
 * callers without a valid key.
 */
export function createCountRequest(database: Database, addressLimits: RateLimits): CountRequest {
  const unsaved = createUnsavedCounters();
  const windows = database.lane && createGatheredWindows(database.lane);

  if (!windows) {
    const countTogether = createCountTogether(countAll, (caller) => countLocked(caller));
    return (apiKey, address) => countTogether({ apiKey, address });
  }
  return async (apiKey, address) =>
    (await countOnLane(windows, { apiKey, address })) ?? countLocked({ apiKey, address });

  /** Undefined without a valid key. */
  async function countOnLane(gathered: GatheredWindows, caller: Caller): Promise<CountedRequest | undefined> {
    const first = await tryOnLane(gathered, caller);
    if (!first) return undefined;
    const { principal, decision, stored } = first;
    return { principal, decision, counted: stored.then(countAgain) };

    /** Another server has counted the same caller meanwhile. In the end the lock decides. */
    async function countAgain(isStored: boolean): Promise<AdmissionDecision | undefined> {
      if (isStored) return undefined;
      for (let attempt = 1; attempt < laneAttempts; attempt += 1) {
        const next = await tryOnLane(gathered, caller);
        if (!next) break;
        if (await next.stored) return admitted(next.decision);
      }
      // A change may be waiting for this, with a connection of the pool in hand.
      const last = await countLocked(caller, { reserved: true });
      if (!last.principal) throw new AppError('invalid_api_key', 'Invalid API key');
      await last.counted;
      return admitted(last.decision);
    }
  }

  async function tryOnLane(gathered: GatheredWindows, { apiKey, address }: Caller) {
    if (apiKey === undefined) return undefined;
    let caller = await findCaller(database, apiKey, { lock: false });
    if (caller && !caller.window) {
      await createCounters(database, limitsOf(caller.principal, address).subject).catch(refuseUnlessGone);
      caller = await findCaller(database, apiKey, { lock: false });
    }
    if (!caller?.window) return undefined;
    const { principal } = caller;
    const { subject, limits } = limitsOf(principal, address);
    return { principal, ...gathered.count(subject.id, limits, caller.window) };
  }

  function admitted(decision: AdmissionDecision): AdmissionDecision {
    if (decision.refusal) throw new RateLimited(decision.refusal);
    return decision;
  }

  /** The key and its project may be deleted between recognising it and making its first counters. */
  function refuseUnlessGone(error: unknown): void {
    if (!database.dialect.isForeignKeyViolation(error)) throw error;
  }

  async function countLocked(caller: Caller, options: TransactOptions = {}): Promise<CountedRequest> {
    try {
      return await transact((executor, taken) => count(executor, caller, taken), options);
    } catch (error) {
      if (database.dialect.isDiskFull(error)) return countInMemory(caller);
      refuseUnlessGone(error);
      return transact((executor, taken) => count(executor, { ...caller, apiKey: undefined }, taken), options);
    }
  }

  async function transact(
    work: (executor: Executor, taken: Taken[]) => Promise<Recognised>,
    options: TransactOptions,
  ): Promise<CountedRequest> {
    const [counted] = await transactAll(async (executor, taken) => [await work(executor, taken)], options);
    return counted as CountedRequest;
  }

  function countAll(callers: () => readonly Caller[]): Promise<CountedRequest[]> {
    return transactAll(async (executor, taken) => {
      const waiting = callers();
      const recognised = new Array<Recognised>(waiting.length);
      // One order for all servers, so that two transactions never wait for each other's rows.
      const inOrder = [...waiting.entries()].sort(([, a], [, b]) => (orderOf(a) < orderOf(b) ? -1 : 1));
      for (const [index, caller] of inOrder) recognised[index] = await count(executor, caller, taken);
      return recognised;
    }, {});
  }

  async function transactAll(
    work: (executor: Executor, taken: Taken[]) => Promise<readonly Recognised[]>,
    options: TransactOptions,
  ): Promise<CountedRequest[]> {
    const taken: Taken[] = [];
    try {
      const { result, committed } = await database.transactAhead((executor) => work(executor, taken), {
        ...options,
        durability: 'process',
      });
      const counted = committed.then(() => undefined);
      return result.map((recognised) => ({ ...recognised, counted }));
    } catch (error) {
      for (const { subject, counters } of taken) unsaved.restore(subject, counters);
      throw error;
    }
  }

  async function count(executor: Executor, caller: Caller, taken: Taken[]): Promise<Recognised> {
    const { principal, subject, limits, window } = await recognise(executor, caller);
    const counters = unsaved.take(subject.id);
    if (counters) taken.push({ subject: subject.id, counters });
    const decision = await admitSubject(executor, subject, limits, counters, window);
    // A refused request writes nothing.
    if (counters && decision.refusal) unsaved.restore(subject.id, counters);
    return { principal, decision };
  }

  /** Reads must go on when nothing can be written any more. */
  async function countInMemory(caller: Caller): Promise<CountedRequest> {
    const { principal, subject, limits } = await recognise(database, caller);
    const decision = await admitUnsaved(database, subject, limits, unsaved);
    return { principal, decision, counted: Promise.resolve(undefined) };
  }

  /** Who calls, and whose limits count. */
  async function recognise(executor: Executor, { apiKey, address }: Caller) {
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
