// Performs an operation with an `Idempotency-Key`: its effect happens once, and a retry gets the first response.
// docs/specification.md §9.
//
// The response is stored in the transaction of its effect, so neither exists without the other. The transaction holds a lock on
// the key; a second request with the same key is refused (409) and does not wait.

import { createHash } from 'node:crypto';
import { errorCodes, limits, type Operation, type ResponseOf } from '@envsnap/shared';
import type { Request, Response } from 'express';
import { originOf } from '../audit/service.ts';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor, Transact } from '../infra/db/database.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';
import { contextOf, type Principal } from '../infra/http/request-context.ts';
import { describeError } from '../infra/http/respond.ts';
import { jsonOf, ReplayedAnswer, storedJson } from '../infra/json-text.ts';
import type { CreateFeatures, Features, Work } from '../work.ts';
import { confirmShownSecret } from './shown-secrets.ts';

interface PerformedAnswer {
  readonly status: number;
  readonly answer: unknown;
}

type Perform = (
  request: Request,
  response: Response,
  operation: Operation,
  handle: (work: Work) => Promise<unknown>,
) => Promise<PerformedAnswer>;

interface RecallDeps {
  readonly read: Features;
  readonly database: Executor;
  readonly clock: Clock;
  readonly answerCipher: AnswerCipher;
}

interface PerformDeps extends RecallDeps {
  readonly transact: Transact;
  readonly createFeatures: CreateFeatures;
  /**
   * Throws unless the caller may still do this: reads key and role again, and with `hold` locks them until the end of the
   * executor's transaction.
   */
  readonly authorize: (
    executor: Executor,
    principal: Principal | undefined,
    operation: Operation,
    options: { hold: boolean },
  ) => Promise<void>;
}

/** Rolls back a transaction whose response is already stored; never leaves `work.transact`. */
const answeredBefore = new Error('the response is already known');

/** Creates the step that runs handlers. Errors: `idempotency_key_in_use`, `idempotency_key_reused`. */
export function createPerform(deps: PerformDeps): Perform {
  const { read, transact, createFeatures, authorize, database, clock } = deps;
  const answers = createStoredAnswers(deps);
  /** Scopes in progress in this process, including uploads that are still arriving. */
  const running = new Set<string>();
  const find = (executor: Executor, scope: string) =>
    executor.get(findAnswer, { scope, nowMs: clock.nowMs() });

  return async (request, response, operation, handle) => {
    const { principal } = contextOf(request);
    const confirm = () => authorize(database, principal, operation, { hold: false });
    const key = operation.idempotency === undefined ? undefined : request.headers['idempotency-key'];
    if (key === undefined) {
      // The key may have been revoked while the body arrived.
      if (operation.safe) await confirm();
      const work: Work = {
        read,
        confirm: async () => void (await confirm()),
        transact: (change) =>
          transact(async (executor) => {
            await authorize(executor, principal, operation, { hold: true });
            return change(createFeatures(executor, originOf(request)));
          }, growthOf(operation)),
      };
      return { status: operation.status, answer: await handle(work) };
    }
    const scope = scopeOf(request, operation, key);
    if (running.has(scope)) {
      await confirm();
      throw inUse();
    }
    running.add(scope);
    try {
      const { replayed, answer } = await performOnce(request, operation, scope, handle);
      if (!replayed) return { status: operation.status, answer };
      response.setHeader('Idempotency-Replayed', 'true');
      return { status: replayed.status, answer: replayed.json };
    } finally {
      running.delete(scope);
    }
  };

  /** Runs the handler of a request with an `Idempotency-Key`; `replayed` is the first response, if this is a retry. */
  async function performOnce(
    request: Request,
    operation: Operation,
    scope: string,
    handle: (work: Work) => Promise<unknown>,
  ): Promise<{ replayed: ReplayedAnswer | undefined; answer: unknown }> {
    const context = contextOf(request);
    const { principal } = context;
    let replayed: ReplayedAnswer | undefined;
    let failed: AppError | undefined;
    let claimed = false;
    // The body of an upload is known only once the handler has read it.
    const digestOf = () => requestDigestOf(context.bodyDigest, request.path);
    /** The first response, unless it shows something that no longer exists. */
    const recall = async (features: Features, known: StoredAnswerRow | undefined) => {
      if (known && known.fingerprint !== digestOf()) {
        const text = 'This Idempotency-Key was already used for another request; use a new key';
        throw new AppError('idempotency_key_reused', text);
      }
      const stored = known && answers.replay(scope, known);
      // A refusal shows nothing.
      if (stored?.status === operation.status)
        await confirmShownSecret(features, operation.name, stored.json.text, principal?.projectId ?? '');
      replayed = stored;
      return stored;
    };
    const store = (executor: Executor, status: number, json: string) =>
      answers.store(executor, { request, operation, scope, digest: digestOf(), status, json });
    const work: Work = {
      read,
      async confirm() {
        const [, stored] = await Promise.all([
          authorize(database, principal, operation, { hold: false }),
          find(database, scope),
        ]);
        return recall(read, stored);
      },
      async transact(change) {
        try {
          return await transact(async (executor) => {
            claimed = false;
            // One round trip for both statements.
            const [, isFree, known] = await Promise.all([
              authorize(executor, principal, operation, { hold: true }),
              tryLock(executor, scope),
              find(executor, scope),
            ]);
            if (!isFree) throw inUse();
            if (await recall(createFeatures(executor), known)) throw answeredBefore;
            claimed = true;
            const result = await change(createFeatures(executor, originOf(request)));
            store(executor, operation.status, jsonOf(result).text);
            return result;
          }, growthOf(operation));
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
      if (failed && error === failed && isKept(failed)) {
        const { status, body } = describeError(failed, context.requestId);
        await transact(async (executor) => {
          // Between the rollback and now, another replica may have performed the request.
          if ((await tryLock(executor, scope)) && !(await find(executor, scope)))
            store(executor, status, JSON.stringify(body));
        });
      }
      throw error;
    }
  }
}

/** Operations that create something make the database grow. */
function growthOf({ method }: Operation) {
  return { growing: method === 'POST' };
}

/** Errors of the operation itself are stored as responses; errors about the idempotency key are not. */
function isKept(error: AppError): boolean {
  const { status } = errorCodes[error.code];
  return status >= 400 && status < 500 && ![401, 409, 422, 429].includes(status);
}

function inUse(): AppError {
  const text = 'The first request with this Idempotency-Key is still running; try again later';
  return new AppError('idempotency_key_in_use', text, undefined, { retryAfterSeconds: 1 });
}

/** The stored response of a creation, for the key that made it; undefined if it, or what it shows, is gone. */
export type RecallAnswer = <O extends Operation>(
  request: Request,
  operation: O,
  key: string,
) => Promise<ResponseOf<O> | undefined>;

export function createRecallAnswer(deps: RecallDeps): RecallAnswer {
  const answers = createStoredAnswers(deps);
  return async (request, operation, key) => {
    const scope = scopeOf(request, operation, key);
    const stored = await deps.database.get(findAnswer, { scope, nowMs: deps.clock.nowMs() });
    if (stored?.status_code !== operation.status) return undefined;
    const { text } = answers.replay(scope, stored).json;
    try {
      const { projectId = '' } = contextOf(request).principal ?? {};
      await confirmShownSecret(deps.read, operation.name, text, projectId);
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
    return JSON.parse(text) as ResponseOf<typeof operation>;
  };
}

/**
 * The scope of a request's key; hashed, since a caller may put anything into the key. Errors: `validation_failed`, also for a
 * guessable key, if anybody may call and the replay shows a secret.
 */
function scopeOf(request: Request, operation: Operation, key: string | string[]): string {
  const shortest = operation.access === 'public' ? limits.openIdempotencyKeyMinLength : 1;
  if (typeof key !== 'string' || key.length < shortest || key.length > limits.idempotencyKeyLength) {
    const message = `Idempotency-Key must have ${shortest} to ${limits.idempotencyKeyLength} characters`;
    throw new AppError('validation_failed', message, [{ path: 'Idempotency-Key', message }]);
  }
  const { principal, clientAddress } = contextOf(request);
  const caller = principal?.apiKeyId ?? clientAddress;
  return createHash('sha256')
    .update(JSON.stringify([caller, operation.name, key]))
    .digest('hex');
}

/** Says whether two requests are the same: their bodies and paths. */
function requestDigestOf(bodyDigest: Uint8Array | undefined, path: string): string {
  return createHash('sha256')
    .update(bodyDigest ?? Buffer.alloc(0))
    .update(path)
    .digest('hex');
}

interface StoredAnswerRow {
  fingerprint: string;
  status_code: number;
  response: Buffer;
  response_encrypted: boolean;
}

interface NewStoredAnswer extends StoredAnswerRow {
  scope: string;
  project_id: string | null;
  created_at: number;
  expires_at: number;
}

const lockScope = defineSql<{ scope: string }, { locked: boolean | number }>(
  ({ tryLock }) => `select ${tryLock('scope')} as locked`,
);

async function tryLock(executor: Executor, scope: string): Promise<boolean> {
  return Boolean((await executor.get(lockScope, { scope }))?.locked);
}

const findAnswer = defineSql<{ scope: string; nowMs: number }, StoredAnswerRow>(
  `select fingerprint, status_code, response, response_encrypted from idempotency_keys
  where scope = :scope and expires_at > :nowMs`,
);

/** Stores a response, in place of an expired one of the same scope. */
const insertAnswer = defineInsert<NewStoredAnswer>('idempotency_keys', {
  end: `on conflict (scope) do update set fingerprint = excluded.fingerprint, status_code = excluded.status_code,
    response = excluded.response, response_encrypted = excluded.response_encrypted, project_id = excluded.project_id,
    created_at = excluded.created_at, expires_at = excluded.expires_at`,
});

const keptMs = { plain: 24 * 3_600_000, secret: 10 * 60_000 };

interface Answered {
  readonly request: Request;
  readonly operation: Operation;
  readonly scope: string;
  readonly digest: string;
  readonly status: number;
  readonly json: string;
}

function createStoredAnswers({
  clock,
  answerCipher,
}: {
  readonly clock: Clock;
  readonly answerCipher: AnswerCipher;
}) {
  return {
    store(executor: Executor, { request, operation, scope, digest, status, json }: Answered) {
      const nowMs = clock.nowMs();
      const encrypted = operation.idempotency === 'secret';
      const plain = Buffer.from(json);
      executor.write(insertAnswer, {
        scope,
        project_id: contextOf(request).principal?.projectId ?? null,
        fingerprint: digest,
        status_code: status,
        response: encrypted ? answerCipher.seal(scope, plain) : plain,
        response_encrypted: encrypted,
        created_at: nowMs,
        expires_at: nowMs + keptMs[encrypted ? 'secret' : 'plain'],
      });
    },
    replay(scope: string, stored: StoredAnswerRow) {
      const bytes = stored.response_encrypted ? answerCipher.open(scope, stored.response) : stored.response;
      return new ReplayedAnswer(stored.status_code, storedJson(bytes));
    },
  };
}
