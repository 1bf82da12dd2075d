// The closed table of error codes: meaning, HTTP status, and whether the same request may succeed later.
// Without zod, so that clients can load it alone.

import rows from './error-codes.json' with { type: 'json' };

export type ErrorCode = keyof typeof rows;

interface ErrorCodeEntry {
  /** HTTP status of a response with this code. */
  readonly status: number;
  /** True if the same request may succeed later. */
  readonly retryable: boolean;
  readonly meaning: string;
}

/** Every `code` that a response can carry. Codes are stable; texts may change. docs/specification.md §2. */
export const errorCodes: Readonly<Record<ErrorCode, ErrorCodeEntry>> = rows;
