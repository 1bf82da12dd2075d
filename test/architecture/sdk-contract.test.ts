// Holds the types of the SDK's contract, which a script writes, to those that the schemas of the operations give.

import type { Answers, Bodies, Queries, SnapshotContent, WebhookPayload } from '@envsnap/sdk';
import type * as shared from '@envsnap/shared';
import type { BodyOf, OperationName, Operations, ResponseOf } from '@envsnap/shared';
import { describe, expect, it } from 'vitest';

describe("the SDK's contract", () => {
  it('has the types that the schemas give', () => {
    // The compiler names here what differs.
    const differing: [Differing<Checks>] extends [never] ? 'none' : Differing<Checks> = 'none';
    expect(differing).toBe('none');
  });
});

/** True when each type can stand for the other. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** A body, its lists as somebody may give them who never changes them. */
type Given<Body> = {
  [K in keyof Body]: [Extract<Body[K], unknown[]>] extends [never]
    ? Body[K]
    : Exclude<Body[K], unknown[]> | readonly Extract<Body[K], unknown[]>[number][];
};
type AllWith<Part extends 'response' | 'body' | 'query'> = {
  [N in OperationName]: Operations[N] extends Record<Part, infer Schema>
    ? Schema extends 'binary'
      ? never
      : N
    : never;
}[OperationName];
type Checks = { [N in keyof Answers as `answer of ${N}`]: Same<Answers[N], ResponseOf<Operations[N]>> } & {
  [N in keyof Bodies as `body of ${N}`]: Same<Bodies[N], Given<BodyOf<Operations[N]>>>;
} & {
  content: Same<SnapshotContent, shared.SnapshotContent>;
  payload: Same<WebhookPayload, shared.WebhookPayload>;
  answers: Same<keyof Answers, AllWith<'response'>>;
  bodies: Same<keyof Bodies, AllWith<'body'>>;
  queries: Same<keyof Queries, AllWith<'query'>>;
};
type Differing<C> = { [K in keyof C]: C[K] extends true ? never : K }[keyof C];
