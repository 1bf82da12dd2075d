// Rows of idempotency keys: the first answer to a request, kept for its retries.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';

export interface StoredAnswerRow {
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

const lockScope = defineStatement<{ scope: string }, { locked: boolean | number }>((qb, p, dialect) =>
  qb.select(qb.raw('? as locked', [dialect.tryLock(p.scope)])),
);

/** Takes the scope for this transaction, without waiting; false while another transaction holds it. */
export async function tryLock(executor: Executor, scope: string): Promise<boolean> {
  return Boolean((await executor.get(lockScope, { scope }))?.locked);
}

/** The stored answer, unless it has expired. */
export const findAnswer = defineStatement<{ scope: string; nowMs: number }, StoredAnswerRow>((qb, p) =>
  qb('idempotency_keys')
    .select('fingerprint', 'status_code', 'response', 'response_encrypted')
    .where('scope', p.scope)
    .andWhere('expires_at', '>', p.nowMs),
);

/** Stores an answer; an expired one of the same scope is replaced. */
export const insertAnswer = defineStatement<NewStoredAnswer>((qb, p) =>
  qb('idempotency_keys').insert(p).onConflict('scope').merge(),
);
