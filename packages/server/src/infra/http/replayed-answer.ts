// The answer to an earlier request with the same Idempotency-Key.

import type { JsonText } from '../json-text.ts';

/** The result of a transaction that changed nothing: the first answer, or the first refusal. */
export class ReplayedAnswer {
  readonly status: number;
  readonly json: JsonText;

  constructor(status: number, json: JsonText) {
    this.status = status;
    this.json = json;
  }
}
