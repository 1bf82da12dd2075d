// Rows of idempotency keys: the first answer to a request, kept for its retries.

import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';

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

const lockScope = defineSql<{ scope: string }, { locked: boolean | number }>(
  ({ tryLock }) => `select ${tryLock('scope')} as locked`,
);

/** Takes the scope for this transaction, without waiting; false while another transaction holds it. */
export async function tryLock(executor: Executor, scope: string): Promise<boolean> {
  return Boolean((await executor.get(lockScope, { scope }))?.locked);
}

/** The stored answer, unless it has expired. */
export const findAnswer = defineSql<{ scope: string; nowMs: number }, StoredAnswerRow>(
  `select fingerprint, status_code, response, response_encrypted from idempotency_keys
  where scope = :scope and expires_at > :nowMs`,
);

/** Stores an answer; an expired one of the same scope is replaced. */
export const insertAnswer = defineInsert<NewStoredAnswer>('idempotency_keys', {
  end: `on conflict (scope) do update set fingerprint = excluded.fingerprint, status_code = excluded.status_code,
    response = excluded.response, response_encrypted = excluded.response_encrypted, project_id = excluded.project_id,
    created_at = excluded.created_at, expires_at = excluded.expires_at`,
});
