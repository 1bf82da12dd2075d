// The types of a call: input and response of each operation.

import type { OperationName } from '../contract/routes.ts';
import type { Answers, Bodies, PathParams, Queries } from '../contract/types.ts';

/** Names of the operations that respond with JSON. */
export type JsonOperationName = keyof Answers;

/** The JSON response of an operation. */
export type Answer<N extends JsonOperationName> = Answers[N];

/** The body that a caller sends to an operation. */
export type BodyInput<N extends keyof Bodies> = Bodies[N];

/** The query of an operation as programs write it: numbers as numbers, times also as `Date`. */
export type QueryInput<N extends keyof Queries> = Queries[N];

type ParamsPart<N extends OperationName> = N extends keyof PathParams
  ? { readonly params: { readonly [K in PathParams[N]]: string } }
  : { readonly params?: never };
type BodyPart<N extends OperationName> = N extends keyof Bodies
  ? { readonly body: Bodies[N] }
  : { readonly body?: never };
type QueryPart<N extends OperationName> = N extends keyof Queries
  ? { readonly query?: Queries[N] | undefined }
  : { readonly query?: never };

/** Path parameters, query and body of one call, each present exactly if the operation has it. */
export type CallInput<N extends OperationName> = ParamsPart<N> & BodyPart<N> & QueryPart<N>;
