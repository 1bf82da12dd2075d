// The types of a call, taken from the contracts: what each operation needs, and what it answers.

import type { BodyOf, OperationName, Operations, PathParamsOf, RequestOf, ResponseOf } from '@envsnap/shared';

/** What a caller sends as the body of an operation. */
export type BodyInput<N extends OperationName> = BodyOf<Operations[N]>;

/** The query of an operation as programs write it: numbers as numbers, moments also as `Date`, everything optional. */
export type QueryInput<N extends OperationName> = {
  [K in keyof RequestOf<Operations[N]>['query']]?:
    | RequestOf<Operations[N]>['query'][K]
    | (K extends 'from' | 'to' ? Date : never)
    | undefined;
};

/** Names of the operations that answer with JSON. */
export type JsonOperationName = {
  [N in OperationName]: Operations[N]['response'] extends 'binary' ? never : N;
}[OperationName];

/** The JSON answer of an operation. */
export type Answer<N extends OperationName> = ResponseOf<Operations[N]>;

type ParamsPart<Name extends string> = [Name] extends [never]
  ? { readonly params?: never }
  : { readonly params: { readonly [K in Name]: string } };
type BodyPart<Body> = [Body] extends [undefined] ? { readonly body?: never } : { readonly body: Body };
type QueryPart<N extends OperationName> = [RequestOf<Operations[N]>['query']] extends [undefined]
  ? { readonly query?: never }
  : { readonly query?: QueryInput<N> | undefined };

/** Path parameters, query and body of one call, each exactly where the operation has it. */
export type CallInput<N extends OperationName> = ParamsPart<PathParamsOf<Operations[N]['path']>> &
  BodyPart<BodyInput<N>> &
  QueryPart<N>;
