// Performs an operation for `Idempotency-Key`: its effect happens once, and a retry gets the first answer. docs/specification.md §9.
//
// The answer is stored in the transaction of its effect, so both are there or neither is. While that transaction runs,
// it holds a lock on the key; a second request with the same key is refused (409) rather than made to wait.

import { errorCodes, type Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import type { AuditOrigin } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor, Transact } from '../infra/db/database.ts';
import { ReplayedAnswer } from '../infra/http/replayed-answer.ts';
import { contextOf, type Principal } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { jsonOf, storedJson } from '../infra/json-text.ts';
import type { Claim, CreateFeatures, Features, Shortcut, Work } from '../work.ts';
import { createIdempotencyRepository, type NewStoredAnswer, type StoredAnswerRow } from './repository.ts';
import { requestDigestOf, scopeOf } from './scope.ts';

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

/** Undoes a transaction whose answer turns out to be stored; never leaves `work.transact`. */
const answeredBefore = new Error('the answer is known already');

/** Creates the step that runs handlers. Errors: `idempotency_key_in_use`, `idempotency_key_reused`. */
export function createPerform(deps: PerformDeps): Perform {
  const { read, transact, createFeatures, authorize, database, clock, answerCipher } = deps;
  /** Scopes at work in this process, uploads that are still arriving included. */
  const running = new Set<string>();

  return async (request, response, operation, handle) => {
    const key = operation.idempotency === undefined ? undefined : request.headers['idempotency-key'];
    const { principal } = contextOf(request);
    const checkAgain = async () => {
      await Promise.all([
        authorize(database, principal, operation, { hold: false }),
        contextOf(request).counted,
      ]);
    };
    if (key === undefined) {
      // The body may have taken its time.
      if (operation.safe) await checkAgain();
      const work: Work = {
        read,
        confirm: checkAgain,
        transact: async (change, shortcut) => {
          // Its count may need a connection of its own, which nobody must wait for with another one in hand.
          if (operation.method === 'GET') await contextOf(request).counted;
          const done = await tryShortcut(request, shortcut, () => undefined);
          if (done !== undefined) return done;
          return transact((executor) =>
            changeWhenAllowed(
              [authorize(executor, principal, operation, { hold: true }), contextOf(request).counted],
              () => change(createFeatures(executor, originOf(request))),
            ),
          );
        },
      };
      return { status: operation.status, answer: await handle(work) };
    }
    const scope = scopeOf(request, operation, key);
    if (running.has(scope)) {
      await checkAgain();
      throw inUse();
    }
    running.add(scope);
    try {
      const { replayed, answer } = await performOnce(request, operation, scope, handle);
      if (!replayed) return { status: operation.status, answer };
      if (operation.idempotency === 'secret') await refuseWhenGone(replayed.json.text);
      response.setHeader('Idempotency-Replayed', 'true');
      return { status: replayed.status, answer: replayed.json };
    } finally {
      running.delete(scope);
    }
  };

  async function performOnce(
    request: Request,
    operation: Operation,
    scope: string,
    handle: (work: Work) => Promise<unknown>,
  ): Promise<{ replayed: ReplayedAnswer | undefined; answer: unknown }> {
    const context = contextOf(request);
    const { status } = operation;
    let replayed: ReplayedAnswer | undefined;
    let failed: AppError | undefined;
    let claimed = false;
    const work: Work = {
      read,
      confirm: async () => {
        await Promise.all([
          authorize(database, context.principal, operation, { hold: false }),
          context.counted,
        ]);
      },
      async transact(change, shortcut) {
        const digest = requestDigestOf(context.bodyDigest, request.path);
        const keep = (result: unknown) =>
          answerRow({ request, operation, scope, digest, status, json: jsonOf(result).text });
        const done = await tryShortcut(request, shortcut, keep);
        if (done !== undefined) return done;
        try {
          return await transact(async (executor) => {
            claimed = false;
            const claiming = Promise.all([
              authorize(executor, context.principal, operation, { hold: true }),
              claim(executor, scope, digest),
            ]).then(([, known]) => {
              replayed = known && replay(scope, known);
              if (replayed) throw answeredBefore;
              claimed = true;
            });
            const result = await changeWhenAllowed([claiming, context.counted], () =>
              change(createFeatures(executor, originOf(request))),
            );
            createIdempotencyRepository(executor).store(keep(result));
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
      if (failed && error === failed && isKept(failed)) await storeRefusal(request, operation, scope, failed);
      throw error;
    }
  }

  /**
   * Takes the scope; gives the stored answer where there is one. Throws when the scope is taken or had another body. Asks
   * for both in one round trip.
   */
  async function claim(
    executor: Executor,
    scope: string,
    digest: string,
  ): Promise<StoredAnswerRow | undefined> {
    const repository = createIdempotencyRepository(executor);
    const [locked, stored] = await Promise.all([
      repository.tryLock(scope),
      repository.find(scope, clock.nowMs()),
    ]);
    if (!locked) throw inUse();
    if (!stored || stored.fingerprint === digest) return stored;
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
    const { requestId, bodyDigest } = contextOf(request);
    const { status, body } = describeError(error, requestId);
    const digest = requestDigestOf(bodyDigest, request.path);
    await transact(async (executor) => {
      // Between the rollback and now, another replica may have performed the request.
      const repository = createIdempotencyRepository(executor);
      if (!(await repository.tryLock(scope)) || (await repository.find(scope, clock.nowMs()))) return;
      repository.store(answerRow({ request, operation, scope, digest, status, json: JSON.stringify(body) }));
    });
  }

  /** What a retry is answered from. */
  function answerRow(answer: {
    request: Request;
    operation: Operation;
    scope: string;
    digest: string;
    status: number;
    json: string;
  }): NewStoredAnswer {
    const nowMs = clock.nowMs();
    const encrypted = answer.operation.idempotency === 'secret';
    const plain = Buffer.from(answer.json);
    return {
      scope: answer.scope,
      project_id: contextOf(answer.request).principal?.projectId ?? null,
      fingerprint: answer.digest,
      status_code: answer.status,
      response: encrypted ? answerCipher.seal(answer.scope, plain) : plain,
      response_encrypted: encrypted,
      created_at: nowMs,
      expires_at: nowMs + keptMs[encrypted ? 'secret' : 'plain'],
    };
  }

  /** The key of a project that is gone opens nothing: its answer is not shown again. */
  async function refuseWhenGone(answer: string): Promise<void> {
    const { projectId } = JSON.parse(answer) as { projectId?: unknown };
    if (typeof projectId !== 'string' || (await read.projects.exists(projectId))) return;
    throw new AppError('project_not_found', 'The project that this request created has been deleted');
  }

  function replay(scope: string, stored: StoredAnswerRow): ReplayedAnswer {
    const bytes = stored.response_encrypted ? answerCipher.open(scope, stored.response) : stored.response;
    return new ReplayedAnswer(stored.status_code, storedJson(bytes.toString('utf8')));
  }
}

/** Who the audit log names. */
function originOf(request: Request): AuditOrigin {
  const { principal, requestId, address } = contextOf(request);
  return { type: 'request', apiKeyId: principal?.apiKeyId, requestId, clientAddress: address };
}

/**
 * Asks the database for what a change needs without waiting for leave to make it, which saves a round trip: when leave is
 * refused, the transaction is undone, whatever the change has done or thrown.
 */
async function changeWhenAllowed<Result>(
  leave: readonly (Promise<unknown> | undefined)[],
  change: () => Promise<Result>,
): Promise<Result> {
  const changing = change();
  changing.catch(() => undefined);
  await Promise.all(leave);
  return changing;
}

/** The count comes first: the shortcut commits by itself. */
async function tryShortcut<Result>(
  request: Request,
  shortcut: Shortcut<Result> | undefined,
  answerFor: Claim['answerFor'],
): Promise<Result | undefined> {
  const { principal, counted } = contextOf(request);
  if (!shortcut || !principal) return undefined;
  await counted;
  return shortcut({ apiKeyId: principal.apiKeyId, answerFor });
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
