// Rows of idempotency keys: the first answer to a request, kept for its retries.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

export interface StoredAnswerRow {
  fingerprint: string;
  status_code: number;
  response: Buffer;
  response_encrypted: boolean;
}

interface NewStoredAnswer {
  scope: string;
  projectId: string | null;
  fingerprint: string;
  statusCode: number;
  response: Buffer;
  encrypted: boolean;
  nowMs: number;
  expiresMs: number;
}

/** True once this transaction holds the scope; false while another transaction does. */
const lockScope = defineStatement<{ scope: string }, { locked: boolean | number }>((qb, p, dialect) =>
  qb.select(qb.raw('? as locked', [dialect.tryLock(p.scope)])),
);

const find = defineStatement<{ scope: string; nowMs: number }, StoredAnswerRow>((qb, p) =>
  qb('idempotency_keys')
    .select('fingerprint', 'status_code', 'response', 'response_encrypted')
    .where('scope', p.scope)
    .andWhere('expires_at', '>', p.nowMs),
);

const insert = defineStatement<NewStoredAnswer>((qb, p) =>
  qb('idempotency_keys')
    .insert({
      scope: p.scope,
      project_id: p.projectId,
      fingerprint: p.fingerprint,
      status_code: p.statusCode,
      response: p.response,
      response_encrypted: p.encrypted,
      created_at: p.nowMs,
      expires_at: p.expiresMs,
    })
    .onConflict('scope')
    .merge(),
);

/** Queries of idempotency keys. */
export function createIdempotencyRepository(executor: Executor) {
  return {
    /** Takes the scope for this transaction, without waiting. */
    tryLock: async (scope: string) => Boolean((await executor.get(lockScope, { scope }))?.locked),
    /** The stored answer, unless it has expired. */
    find: (scope: string, nowMs: number) => executor.get(find, { scope, nowMs }),
    /** Stores an answer; an expired one of the same scope is replaced. */
    store: (answer: NewStoredAnswer) => executor.write(insert, answer),
  };
}
