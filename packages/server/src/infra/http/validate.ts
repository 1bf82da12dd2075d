// Validates a part of a request against its schema and words what is wrong for the caller.

import type { ErrorDetail } from '@envsnap/shared';
import type * as z from 'zod';
import { AppError } from '../app-error.ts';

/** Wordings of zod's own issues; messages written in the schemas win over these. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required';
    const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
    return `must be ${article} ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
  return undefined;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' ? ' items' : '';
}

/**
 * Parses `value` with `schema`. Throws `validation_failed` with one detail a problem, at most ten; the text names the
 * first.
 */
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
