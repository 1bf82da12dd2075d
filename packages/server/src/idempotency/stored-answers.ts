// The stored answers for retries, encrypted if they hold a secret.

import type { Operation } from '@envsnap/shared';
import type { Request } from 'express';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';
import { ReplayedAnswer } from '../infra/http/replayed-answer.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { storedJson } from '../infra/json-text.ts';

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

export async function tryLock(executor: Executor, scope: string): Promise<boolean> {
  return Boolean((await executor.get(lockScope, { scope }))?.locked);
}

export const findAnswer = defineSql<{ scope: string; nowMs: number }, StoredAnswerRow>(
  `select fingerprint, status_code, response, response_encrypted from idempotency_keys
  where scope = :scope and expires_at > :nowMs`,
);

/** Stores an answer; an expired one of the same scope is replaced. */
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

export function createStoredAnswers({
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
