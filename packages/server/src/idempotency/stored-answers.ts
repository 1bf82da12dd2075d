// What retries are answered from: the first answer, encrypted where it carries a secret.

import type { Operation } from '@envsnap/shared';
import type { Request } from 'express';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor } from '../infra/db/database.ts';
import { ReplayedAnswer } from '../infra/http/replayed-answer.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { storedJson } from '../infra/json-text.ts';
import { insertAnswer, type StoredAnswerRow } from './repository.ts';

/** How long an answer is kept, in milliseconds. */
const keptMs = { plain: 24 * 3_600_000, secret: 10 * 60_000 };

/** An answer with what it answers. */
export interface Answered {
  readonly request: Request;
  readonly operation: Operation;
  readonly scope: string;
  readonly digest: string;
  readonly status: number;
  readonly json: string;
}

export type StoredAnswers = ReturnType<typeof createStoredAnswers>;

export function createStoredAnswers({
  clock,
  answerCipher,
}: {
  readonly clock: Clock;
  readonly answerCipher: AnswerCipher;
}) {
  return {
    /** Stores an answer; at the latest with the commit of the executor's transaction. */
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
    /** The first answer, from its row. */
    replay(scope: string, stored: StoredAnswerRow) {
      const bytes = stored.response_encrypted ? answerCipher.open(scope, stored.response) : stored.response;
      return new ReplayedAnswer(stored.status_code, storedJson(bytes));
    },
  };
}
