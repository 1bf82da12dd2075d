// Recognises callers and counts their requests against their limits. Every request needs this, so simultaneous requests are
// counted in one transaction. It locks the callers' rows, so the limits are exact on any number of servers.

import { AsyncResource } from 'node:async_hooks';
import { isWellFormedApiKey } from '@envsnap/shared';
import { toPrincipal } from '../api-keys/service.ts';
import { hashApiKey } from '../infra/crypto/api-key.ts';
import type { Database, Executor } from '../infra/db/database.ts';
import type { AdmissionDeps, CountedRequest } from '../infra/http/admission.ts';
import type { Principal } from '../infra/http/request-context.ts';
import { decideOn, noCounters, type RateLimits } from './rate-limiter.ts';
import * as windows from './window-repository.ts';

/** Counts a request of the key, or of the address when there is no key or it is unknown. */
type CountRequest = AdmissionDeps['count'];

interface Caller {
  readonly keyHash: string | undefined;
  readonly address: string;
}

interface Recognised {
  readonly principal: Principal | undefined;
  readonly counted: windows.RateLimitSubject;
  readonly limits: RateLimits;
}

/** The counted requests of a transaction, or the callers whose rows must be created first. */
interface Outcome {
  readonly counted: readonly CountedRequest[];
  readonly changed: ReadonlyMap<string, windows.ChangedWindow>;
  readonly missing: readonly windows.RateLimitSubject[];
}

/** A new row can be missing only because of a simultaneous deletion. */
const mostAttempts = 5;

/**
 * Creates the step. Commits survive a kill of the process, but skip the wait for the disk. `addressLimits` hold for
 * callers without a valid key.
 */
export function createCountRequest(database: Database, addressLimits: RateLimits): CountRequest {
  /**
   * Counters newer than those in their rows, kept in memory while the disk is full so that reads can continue. Only one server
   * works on an embedded database. They are written with the caller's next request that can be written; a kill before that loses
   * them.
   */
  const unsaved = new Map<string, Buffer>();

  const count = batchCalls<Caller, CountedRequest>(async (callers) => {
    try {
      return await countAll(callers);
    } catch (error) {
      if (database.dialect.isDiskFull(error)) return countInMemory(callers());
      throw error;
    }
  });

  async function countAll(callers: () => readonly Caller[]): Promise<readonly CountedRequest[]> {
    for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
      const { counted, changed, missing } = await database.transact(
        (executor) => countIn(executor, callers()),
        { durability: 'process' },
      );
      if (missing.length === 0) {
        for (const subject of changed.keys()) unsaved.delete(subject);
        return counted;
      }
      for (const subject of missing)
        await database
          .run(windows.createWindow, { ...subject, counters: noCounters })
          .catch((error: unknown) => {
            // The key and its project may be deleted between recognising it and making its first counters.
            if (!database.dialect.isForeignKeyViolation(error)) throw error;
          });
    }
    throw new Error('the counters of a caller vanish as soon as they are made');
  }

  async function countIn(executor: Executor, callers: readonly Caller[]): Promise<Outcome> {
    const { recognised, rows } = await recognise(executor, callers);
    const missing = recognised.map((caller) => caller.counted).filter(({ subject }) => !rows.has(subject));
    if (missing.length > 0) return { counted: [], changed: new Map(), missing };
    const { counted, changed } = decide(recognised, (subject) => rows.get(subject) as windows.WindowRow);
    windows.writeWindows(executor, [...changed.values()]);
    return { counted, changed, missing };
  }

  /** Reads must continue when nothing can be written. */
  async function countInMemory(callers: readonly Caller[]): Promise<readonly CountedRequest[]> {
    const { recognised, rows } = await recognise(database, callers);
    const nowMs = (await database.get(windows.readClock))?.now_ms ?? 0;
    const { counted, changed } = decide(
      recognised,
      (subject) => rows.get(subject) ?? { subject, counters: noCounters, now_ms: nowMs },
    );
    for (const [subject, { counters }] of changed) unsaved.set(subject, counters);
    return counted;
  }

  /** Decides on the requests one after the other; a refused one changes no counters. */
  function decide(recognised: readonly Recognised[], rowOf: (subject: string) => windows.WindowRow) {
    const changed = new Map<string, windows.ChangedWindow>();
    const counted = recognised.map(({ principal, counted: caller, limits }): CountedRequest => {
      const { subject } = caller;
      const row = rowOf(subject);
      const before = changed.get(subject)?.counters ?? unsaved.get(subject) ?? row.counters;
      const { decision, counters } = decideOn(before, limits, row.now_ms);
      if (counters) changed.set(subject, { ...caller, counters, updated_at: row.now_ms });
      return { principal, decision };
    });
    return { counted, changed };
  }

  /** Who calls, and the existing rows of their counters. */
  async function recognise(executor: Executor, callers: readonly Caller[]) {
    const hashes = new Set(callers.flatMap(({ keyHash }) => keyHash ?? []));
    const locked = await windows.readListed(executor, windows.lockWindowsOfKeys, hashes);
    const rows = new Map<string, windows.WindowRow>(locked.map((row) => [row.subject, row]));
    for (const { key_hash } of locked) hashes.delete(key_hash);
    const unseen = await windows.readListed(executor, windows.findKeys, hashes);
    const principals = new Map(
      [...locked, ...unseen].map((row): [string, Principal] => [row.key_hash, toPrincipal(row)]),
    );
    const recognised = callers.map(({ keyHash, address }) =>
      limitsOf(keyHash === undefined ? undefined : principals.get(keyHash), address),
    );
    const others = new Set(recognised.map(({ counted }) => counted.subject).filter((id) => !rows.has(id)));
    for (const row of await windows.readListed(executor, windows.lockWindows, others))
      rows.set(row.subject, row);
    return { recognised, rows };
  }

  function limitsOf(principal: Principal | undefined, address: string): Recognised {
    if (!principal) {
      const counted = { subject: address, kind: 'address', project_id: null } as const;
      return { principal, counted, limits: addressLimits };
    }
    return {
      principal,
      counted: { subject: principal.apiKeyId, kind: 'key', project_id: principal.projectId },
      limits: { perMinute: principal.maxRequestsPerMinute, perDay: principal.maxRequestsPerDay },
    };
  }

  // The owner of a key is never cached, so that a revoked key is refused at once.
  return (apiKey, address, keyHash) => {
    const isKey = apiKey !== undefined && isWellFormedApiKey(apiKey);
    return count({ keyHash: isKey ? hashApiKey(apiKey) : keyHash, address });
  };
}

interface Waiting<Call, Result> {
  readonly call: Call;
  /** Restores the caller's asynchronous context (its trace) around the work. */
  readonly context: AsyncResource;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum number of calls of a batch; bounds how long the event loop is held. */
const maxBatch = 64;

/**
 * Returns a function that makes one call. `doAll` does a batch of them; batches never overlap. A batch takes its calls when it
 * begins, so calls that arrive until then take part. It returns a result for each, in order; if it fails, all fail.
 */
function batchCalls<Call, Result>(
  doAll: (calls: () => readonly Call[]) => Promise<readonly Result[]>,
): (call: Call) => Promise<Result> {
  const waiting: Waiting<Call, Result>[] = [];
  let busy = false;

  async function doNext({ context }: Waiting<Call, Result>): Promise<void> {
    let batch: Waiting<Call, Result>[] | undefined;
    const take = () => {
      batch ??= waiting.splice(0, maxBatch);
      return batch;
    };
    try {
      const results = await context.runInAsyncScope(() => doAll(() => take().map(({ call }) => call)));
      for (const [index, { resolve }] of take().entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of take()) reject(error);
    }
  }

  async function work(): Promise<void> {
    busy = true;
    for (let first = waiting[0]; first; first = waiting[0]) await doNext(first);
    busy = false;
  }

  return (call) =>
    new Promise((resolve, reject) => {
      waiting.push({ call, context: new AsyncResource('envsnap.batched-call'), resolve, reject });
      if (!busy) void work();
    });
}
