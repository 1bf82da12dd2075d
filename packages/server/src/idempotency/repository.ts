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

/** The columns of a new answer that are its own, with their types. */
export const storedAnswerColumns = {
  scope: 'text',
  fingerprint: 'text',
  status_code: 'integer',
  response: 'bytea',
  response_encrypted: 'boolean',
  expires_at: 'bigint',
} as const satisfies Partial<Record<keyof NewStoredAnswer, string>>;

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

const insert = defineStatement<NewStoredAnswer>((qb, p) => {
  const columns = Object.keys(storedAnswerColumns) as (keyof typeof storedAnswerColumns)[];
  return qb('idempotency_keys')
    .insert({
      project_id: p.project_id,
      created_at: p.created_at,
      ...Object.fromEntries(columns.map((column) => [column, p[column]])),
    })
    .onConflict('scope')
    .merge();
});

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
