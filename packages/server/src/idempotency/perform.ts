// Performs an operation for `Idempotency-Key`: its effect happens once, and a retry gets the first answer. Decisions §9.
//
// The answer is stored in the transaction of its effect, so both are there or neither is. While that transaction runs,
// it holds a lock on the key; a second request with the same key is refused (409) rather than made to wait.

import { createHash } from 'node:crypto';
import { errorCodes, limits, type Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor, Transact } from '../infra/db/database.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { describeError, JsonText, toJson } from '../infra/http/respond.ts';
import type { CreateFeatures, Features, Work } from '../work.ts';
import { createIdempotencyRepository, type StoredAnswerRow } from './repository.ts';

/** How long an answer is kept, in milliseconds. */
const keptMs = { plain: 24 * 3_600_000, secret: 10 * 60_000 };

/** An answer with the status it had or has. */
export interface PerformedAnswer {
  readonly status: number;
  readonly answer: unknown;
}

export type Perform = (
  request: Request,
  response: Response,
  operation: Operation,
  handle: (work: Work) => Promise<unknown>,
) => Promise<PerformedAnswer>;

export interface PerformDeps {
  /** The features outside a transaction. */
  readonly read: Features;
  readonly transact: Transact;
  readonly createFeatures: CreateFeatures;
  readonly clock: Clock;
  /** Encrypts answers that carry a secret. */
  readonly answerCipher: AnswerCipher;
}

/** Carries a stored answer out of the transaction that found it. */
class Replay extends Error {
  readonly stored: StoredAnswerRow;
  constructor(stored: StoredAnswerRow) {
    super('the answer is known already');
    this.stored = stored;
  }
}

/** Creates the step that runs handlers. Errors: `idempotency_key_in_use`, `idempotency_key_reused`. */
export function createPerform({ read, transact, createFeatures, clock, answerCipher }: PerformDeps): Perform {
  const plainWork: Work = {
    read,
    transact: (change) => transact((executor) => change(createFeatures(executor))),
  };
  /** Scopes at work in this process, uploads that are still arriving included. */
  const running = new Set<string>();

  return async (request, response, operation, handle) => {
    const key = operation.idempotency === undefined ? undefined : request.headers['idempotency-key'];
    if (key === undefined) return { status: operation.status, answer: await handle(plainWork) };
    const scope = scopeOf(request, operation, key);
    if (running.has(scope)) throw inUse();
    running.add(scope);
    try {
      return await performOnce(request, operation, scope, handle);
    } catch (error) {
      if (!(error instanceof Replay)) throw error;
      response.setHeader('Idempotency-Replayed', 'true');
      return { status: error.stored.status_code, answer: new JsonText(readAnswer(scope, error.stored)) };
    } finally {
      running.delete(scope);
    }
  };

  async function performOnce(
    request: Request,
    operation: Operation,
    scope: string,
    handle: (work: Work) => Promise<unknown>,
  ): Promise<PerformedAnswer> {
    const context = contextOf(request);
    const { status } = operation;
    let failed: AppError | undefined;
    const work: Work = {
      read,
      async transact(change) {
        try {
          return await transact(async (executor) => {
            const fingerprint = fingerprintOf(context.bodyFingerprint, request.path);
            await claim(executor, scope, fingerprint);
            const result = await change(createFeatures(executor));
            await store(executor, { request, operation, scope, fingerprint, status, json: toJson(result) });
            return result;
          });
        } catch (error) {
          if (error instanceof AppError) failed = error;
          throw error;
        }
      },
    };
    try {
      return { status, answer: await handle(work) };
    } catch (error) {
      if (failed && error === failed && isKept(failed)) await storeRefusal(request, operation, scope, failed);
      throw error;
    }
  }

  /** Throws when the scope is taken, has an answer already, or had another body. */
  async function claim(executor: Executor, scope: string, fingerprint: string): Promise<void> {
    const repository = createIdempotencyRepository(executor);
    if (!(await repository.tryLock(scope))) throw inUse();
    const stored = await repository.find(scope, clock.nowMs());
    if (!stored) return;
    if (stored.fingerprint === fingerprint) throw new Replay(stored);
    throw new AppError(
      'idempotency_key_reused',
      'This Idempotency-Key came with another request before; use a new key for a new request',
    );
  }

  async function storeRefusal(
    request: Request,
    operation: Operation,
    scope: string,
    error: AppError,
  ): Promise<void> {
    const { requestId, bodyFingerprint } = contextOf(request);
    const { status, body } = describeError(error, requestId);
    const fingerprint = fingerprintOf(bodyFingerprint, request.path);
    await transact(async (executor) => {
      // Between the rollback and now, another replica may have performed the request.
      const repository = createIdempotencyRepository(executor);
      if (!(await repository.tryLock(scope)) || (await repository.find(scope, clock.nowMs()))) return;
      await store(executor, { request, operation, scope, fingerprint, status, json: JSON.stringify(body) });
    });
  }

  async function store(
    executor: Executor,
    answer: {
      request: Request;
      operation: Operation;
      scope: string;
      fingerprint: string;
      status: number;
      json: string;
    },
  ): Promise<void> {
    const nowMs = clock.nowMs();
    const encrypted = answer.operation.idempotency === 'secret';
    const plain = Buffer.from(answer.json);
    await createIdempotencyRepository(executor).store({
      scope: answer.scope,
      projectId: contextOf(answer.request).principal?.projectId ?? null,
      fingerprint: answer.fingerprint,
      statusCode: answer.status,
      response: encrypted ? answerCipher.seal(answer.scope, plain) : plain,
      encrypted,
      nowMs,
      expiresMs: nowMs + keptMs[encrypted ? 'secret' : 'plain'],
    });
  }

  function readAnswer(scope: string, stored: StoredAnswerRow): string {
    const bytes = stored.response_encrypted ? answerCipher.open(scope, stored.response) : stored.response;
    return bytes.toString('utf8');
  }
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

/** One caller, one operation, one key; hashed, since a caller may put anything into the key. */
function scopeOf(request: Request, operation: Operation, key: string | string[]): string {
  if (typeof key !== 'string' || key.length === 0 || key.length > limits.idempotencyKeyLength) {
    const message = `Idempotency-Key must have 1 to ${limits.idempotencyKeyLength} characters`;
    throw new AppError('validation_failed', message, [{ path: 'Idempotency-Key', message }]);
  }
  const { principal, clientAddress } = contextOf(request);
  const caller = principal?.apiKeyId ?? clientAddress;
  return createHash('sha256')
    .update(JSON.stringify([caller, operation.name, key]))
    .digest('hex');
}

function fingerprintOf(bodyFingerprint: Buffer | undefined, path: string): string {
  return createHash('sha256')
    .update(bodyFingerprint ?? Buffer.alloc(0))
    .update(path)
    .digest('hex');
}
