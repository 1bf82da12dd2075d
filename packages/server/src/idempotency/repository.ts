// Rows of idempotency keys: the first answer to a request, kept for its retries.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

export interface StoredAnswerRow {
  fingerprint: string;
  status_code: number;
  response: Buffer;
  response_encrypted: boolean;
}

/** A new answer's row. */
export interface NewStoredAnswer extends StoredAnswerRow {
  scope: string;
  project_id: string | null;
  created_at: number;
  expires_at: number;
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
      project_id: p.project_id,
      fingerprint: p.fingerprint,
      status_code: p.status_code,
      response: p.response,
      response_encrypted: p.response_encrypted,
      created_at: p.created_at,
      expires_at: p.expires_at,
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
