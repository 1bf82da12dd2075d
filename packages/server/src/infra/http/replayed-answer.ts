// The answer to an earlier request with the same Idempotency-Key.

import type { JsonText } from '../json-text.ts';

/** What a transaction gives in place of its result when nothing was changed: the first answer, or first refusal. */
export class ReplayedAnswer {
  readonly status: number;
  readonly json: JsonText;

  constructor(status: number, json: JsonText) {
    this.status = status;
    this.json = json;
  }
}
