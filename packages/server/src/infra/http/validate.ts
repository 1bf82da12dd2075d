// Validates a part of a request against its schema and describes the problems for the caller.

import { describeIssue, type ErrorDetail } from '@envsnap/shared';
import type * as z from 'zod';
import { AppError } from '../app-error.ts';

/** Parses `value`. Throws `validation_failed` with the problems; the message names the first. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: 'body' | 'path' | 'query',
): z.output<S> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const details = problemsOf(result.error);
  const [first] = details;
  const subject = first?.path ? first.path : `the ${what}`;
  throw new AppError(
    'validation_failed',
    `Invalid ${what}: ${subject} ${first?.message ?? 'is invalid'}`,
    details,
  );
}

/** One detail for each problem, at most ten. */
export function problemsOf({ issues }: z.ZodError): ErrorDetail[] {
  return issues.slice(0, 10).map(({ path, message }) => ({ path: path.map(String).join('.'), message }));
}
