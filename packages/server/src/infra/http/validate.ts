// Validates a part of a request against its schema and describes the problems for the caller.

import { describeIssue, type ErrorDetail } from '@envsnap/shared';
import type * as z from 'zod';
import { AppError } from '../app-error.ts';

/** Parses `value`. Throws `validation_failed` with one detail for each problem, at most ten; the message names the first. */
export function validate<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: 'body' | 'path' | 'query',
): z.output<S> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const details: ErrorDetail[] = result.error.issues
    .slice(0, 10)
    .map((issue) => ({ path: issue.path.map(String).join('.'), message: issue.message }));
  const [first] = details;
  const subject = first?.path ? first.path : `the ${what}`;
  throw new AppError(
    'validation_failed',
    `Invalid ${what}: ${subject} ${first?.message ?? 'is invalid'}`,
    details,
  );
}
