// Shows the secret of a creation again, to the key that made it and by its Idempotency-Key, while the answer is kept.

import type { Operation, ResponseOf } from '@envsnap/shared';
import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import type { Clock } from '../infra/clock.ts';
import type { AnswerCipher } from '../infra/crypto/answer-cipher.ts';
import type { Executor } from '../infra/db/database.ts';
import { contextOf } from '../infra/http/request-context.ts';
import type { Features } from '../work.ts';
import { findAnswer } from './repository.ts';
import { scopeOf } from './scope.ts';
import { confirmShownSecret } from './shown-secrets.ts';
import { createStoredAnswers } from './stored-answers.ts';

/** The answer of a creation; undefined when it is no longer kept, or what it shows is gone. */
export type RecallAnswer = <O extends Operation>(
  request: Request,
  operation: O,
  key: string,
) => Promise<ResponseOf<O> | undefined>;

export function createRecallAnswer(deps: {
  readonly read: Features;
  readonly database: Executor;
  readonly clock: Clock;
  readonly answerCipher: AnswerCipher;
}): RecallAnswer {
  const answers = createStoredAnswers(deps);
  return async (request, operation, key) => {
    const scope = scopeOf(request, operation, key);
    const stored = await deps.database.get(findAnswer, { scope, nowMs: deps.clock.nowMs() });
    if (stored?.status_code !== operation.status) return undefined;
    const { text } = answers.replay(scope, stored).json;
    try {
      await confirmShownSecret(
        deps.read,
        operation.name,
        text,
        contextOf(request).principal?.projectId ?? '',
      );
    } catch (error) {
      if (error instanceof AppError) return undefined;
      throw error;
    }
    return JSON.parse(text) as ResponseOf<typeof operation>;
  };
}
