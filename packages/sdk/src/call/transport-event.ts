// The events of a call, as `onEvent` gets them.

import type { OperationName } from '../contract/routes.ts';
import type { EnvsnapError } from '../errors.ts';

/** The called operation, or a path that the caller names. */
export type CalledOperation = OperationName | 'request';

interface AttemptEvent {
  readonly operation: CalledOperation;
  readonly url: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/**
 * An event of a call. Every attempt is a `request`, then either a `response`, whatever its status, or a `failure`, then a
 * `retry` if another attempt follows. Holds no header, no body and no key.
 */
export type TransportEvent =
  | (AttemptEvent & { readonly type: 'request' })
  | (AttemptEvent & {
      readonly type: 'response';
      readonly status: number;
      readonly requestId: string | undefined;
      readonly durationMs: number;
    })
  | (AttemptEvent & {
      /** No response came, it broke off, or it was not from an envsnap server. */
      readonly type: 'failure';
      readonly error: EnvsnapError;
      readonly durationMs: number;
    })
  | (AttemptEvent & {
      /** The attempt with this number failed with this error. Another follows after the delay. */
      readonly type: 'retry';
      readonly delayMs: number;
      readonly error: EnvsnapError;
    });
