// Performs an operation for `Idempotency-Key`: its effect happens once, and a retry gets the first answer. docs/specification.md §9.
//
// The answer is stored in the transaction of its effect, so both are there or neither is. While that transaction runs,
// it holds a lock on the key; a second request with the same key is refused (409) rather than made to wait.

import { errorCodes, type Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import { originOf } from '../audit/origin.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor, Transact } from '../infra/db/database.ts';
import type { ReplayedAnswer } from '../infra/http/replayed-answer.ts';
import { contextOf, type Principal } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { jsonOf } from '../infra/json-text.ts';
import type { CreateFeatures, Features, Work } from '../work.ts';
import { findAnswer, type StoredAnswerRow, tryLock } from './repository.ts';
import { requestDigestOf, scopeOf } from './scope.ts';
import { confirmShownSecret } from './shown-secrets.ts';
import { createStoredAnswers, type StoredAnswers } from './stored-answers.ts';

/** An answer with the status it had or has. */
interface PerformedAnswer {
  readonly status: number;
  readonly answer: unknown;
}

export type Perform = (
  request: Request,
  response: Response,
  operation: Operation,
  handle: (work: Work) => Promise<unknown>,
) => Promise<PerformedAnswer>;

interface PerformDeps {
  /** The features outside a transaction. */
  readonly read: Features;
  readonly transact: Transact;
  readonly createFeatures: CreateFeatures;
  /**
   * Throws unless the caller may still do this: the key and role are read again, and held until the end of the
   * transaction that the executor is of.
   */
  readonly authorize: (
    executor: Executor,
    principal: Principal | undefined,
    operation: Operation,
    options: { hold: boolean },
  ) => Promise<void>;
  /** Reads outside a transaction. */
  readonly database: Executor;
  readonly clock: Clock;
  /** Encrypts answers that carry a secret. */
  readonly answerCipher: AnswerCipher;
}

/** A request that is being performed. */
interface Performance {
  readonly request: Request;
  readonly operation: Operation;
}

/** One with an `Idempotency-Key`. */
interface PerformanceOnce extends Performance {
  readonly scope: string;
  readonly digest: string;
}

/** Undoes a transaction whose answer turns out to be stored; never leaves `work.transact`. */
const answeredBefore = new Error('the answer is known already');

/** Creates the step that runs handlers. Errors: `idempotency_key_in_use`, `idempotency_key_reused`. */
export function createPerform(deps: PerformDeps): Perform {
  const answers = createStoredAnswers(deps);
  /** Scopes at work in this process, uploads that are still arriving included. */
  const running = new Set<string>();

  return async (request, response, operation, handle) => {
    const key = operation.idempotency === undefined ? undefined : request.headers['idempotency-key'];
    if (key === undefined) {
      const work = plainWork(deps, { request, operation });
      // The key may have been revoked while the body arrived.
      if (operation.safe) await work.confirm();
      return { status: operation.status, answer: await handle(work) };
    }
    const scope = scopeOf(request, operation, key);
    if (running.has(scope)) {
      await confirm(deps, { request, operation });
      throw inUse();
    }
    running.add(scope);
    try {
      const { replayed, answer } = await performOnce(deps, answers, { request, operation, scope }, handle);
      if (!replayed) return { status: operation.status, answer };
      response.setHeader('Idempotency-Replayed', 'true');
      return { status: replayed.status, answer: replayed.json };
    } finally {
      running.delete(scope);
    }
  };
}

function confirm({ authorize, database }: PerformDeps, { request, operation }: Performance): Promise<void> {
  return authorize(database, contextOf(request).principal, operation, { hold: false });
}

/** The way to the features for a request without an `Idempotency-Key`. */
function plainWork(deps: PerformDeps, performance: Performance): Work {
  const { request, operation } = performance;
  return {
    read: deps.read,
    async confirm() {
      await confirm(deps, performance);
      return undefined;
    },
    transact: (change) =>
      deps.transact(async (executor) => {
        await deps.authorize(executor, contextOf(request).principal, operation, { hold: true });
        return change(deps.createFeatures(executor, originOf(request)));
      }),
  };
}

/** Runs the handler of a request with an `Idempotency-Key`; `replayed` is the first answer, if this is a retry. */
async function performOnce(
  deps: PerformDeps,
  answers: StoredAnswers,
  { request, operation, scope }: Omit<PerformanceOnce, 'digest'>,
  handle: (work: Work) => Promise<unknown>,
): Promise<{ replayed: ReplayedAnswer | undefined; answer: unknown }> {
  const context = contextOf(request);
  let replayed: ReplayedAnswer | undefined;
  let failed: AppError | undefined;
  let claimed = false;
  // The body of an upload is known only when the handler has read it.
  const digestOf = () => requestDigestOf(context.bodyDigest, request.path);
  /** The first answer, unless what it shows is gone. */
  const recall = async (features: Features, known: StoredAnswerRow | undefined) => {
    const stored = known && answers.replay(scope, known);
    // A first refusal shows nothing.
    if (stored?.status === operation.status) {
      const { projectId = '' } = context.principal ?? {};
      await confirmShownSecret(features, operation.name, stored.json.text, projectId);
    }
    replayed = stored;
    return stored;
  };
  const work: Work = {
    read: deps.read,
    async confirm() {
      const [, stored] = await Promise.all([
        confirm(deps, { request, operation }),
        deps.database.get(findAnswer, { scope, nowMs: deps.clock.nowMs() }),
      ]);
      return recall(deps.read, ofSameRequest(stored, digestOf()));
    },
    async transact(change) {
      const digest = digestOf();
      try {
        return await deps.transact(async (executor) => {
          claimed = false;
          const [, known] = await Promise.all([
            deps.authorize(executor, context.principal, operation, { hold: true }),
            claim(deps.clock, executor, scope, digest),
          ]);
          if (await recall(deps.createFeatures(executor), known)) throw answeredBefore;
          claimed = true;
          const result = await change(deps.createFeatures(executor, originOf(request)));
          const { text: json } = jsonOf(result);
          answers.store(executor, { request, operation, scope, digest, status: operation.status, json });
          return result;
        });
      } catch (error) {
        if (error === answeredBefore && replayed) return replayed;
        if (claimed && error instanceof AppError) failed = error;
        throw error;
      }
    },
  };
  try {
    const answer = await handle(work);
    return { replayed, answer };
  } catch (error) {
    if (failed && error === failed && isKept(failed))
      await storeRefusal(deps, answers, { request, operation, scope, digest: digestOf() }, failed);
    throw error;
  }
}

/**
 * Takes the scope; gives the stored answer where there is one. Throws when the scope is taken or had another body. Asks
 * for both in one round trip.
 */
async function claim(
  clock: Clock,
  executor: Executor,
  scope: string,
  digest: string,
): Promise<StoredAnswerRow | undefined> {
  const [locked, stored] = await Promise.all([
    tryLock(executor, scope),
    executor.get(findAnswer, { scope, nowMs: clock.nowMs() }),
  ]);
  if (!locked) throw inUse();
  return ofSameRequest(stored, digest);
}

function ofSameRequest(stored: StoredAnswerRow | undefined, digest: string): StoredAnswerRow | undefined {
  if (!stored || stored.fingerprint === digest) return stored;
  throw new AppError(
    'idempotency_key_reused',
    'This Idempotency-Key came with another request before; use a new key for a new request',
  );
}

async function storeRefusal(
  { transact, clock }: PerformDeps,
  answers: StoredAnswers,
  performance: PerformanceOnce,
  error: AppError,
): Promise<void> {
  const { status, body } = describeError(error, contextOf(performance.request).requestId);
  const { scope } = performance;
  await transact(async (executor) => {
    // Between the rollback and now, another replica may have performed the request.
    const isFree = await tryLock(executor, scope);
    if (!isFree || (await executor.get(findAnswer, { scope, nowMs: clock.nowMs() }))) return;
    answers.store(executor, { ...performance, status, json: JSON.stringify(body) });
  });
}

/** Refusals by the operation itself are answers too; those by the idempotency key are not. */
function isKept(error: AppError): boolean {
  const { status } = errorCodes[error.code];
  return status >= 400 && status < 500 && ![401, 409, 422, 429].includes(status);
}

function inUse(): AppError {
  return new AppError(
    'idempotency_key_in_use',
    'The first request with this Idempotency-Key is still running; try again later',
    undefined,
    { retryAfterSeconds: 1 },
  );
}
