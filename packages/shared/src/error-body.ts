// The body of an error response. docs/specification.md §2.

import * as z from 'zod';
import * as p from './primitives.ts';

/** One field that failed validation: its path in dots (`role`, `envVars.PATH`; empty for the whole input), and what is wrong. */
export const errorDetail = p.object('ErrorDetail', {
  path: p.string('Path of the field, such as envVars.PATH; empty for the whole body or query.'),
  message: p.string('What is wrong with the field.'),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

/** Body of every error. `error` is for people; programs look at `code`. docs/specification.md §2. */
export const errorBody = p.object('ApiError', {
  error: p.string('What went wrong, for people.'),
  code: p.string('What went wrong, for programs. Codes are stable.'),
  requestId: p.string("Id of the request, also in X-Request-Id and in the server's log."),
  details: z.array(errorDetail).optional().describe('The fields that are not valid, or what was not found.'),
  retryAfter: z.number().int().min(1).optional().describe('Seconds to wait before the next request.'),
});
export type ErrorBody = z.infer<typeof errorBody>;
