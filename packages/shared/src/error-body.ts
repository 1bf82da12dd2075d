// The body of an error response. docs/specification.md §2.

import * as z from 'zod';
import * as p from './primitives.ts';

/** One field that failed validation: its path in dots (`role`, `envVars.PATH`; empty for the whole input), and what is wrong. */
export const errorDetail = p.object('ErrorDetail', {
  path: p.string('The field in dots, e.g. envVars.PATH; empty for the whole.'),
  message: p.string('What is wrong with it.'),
});
export type ErrorDetail = z.infer<typeof errorDetail>;

/** Body of every error. `error` is for people; programs look at `code`. docs/specification.md §2. */
export const errorBody = p.object('ApiError', {
  error: p.string('What went wrong, for people.'),
  code: p.string('What went wrong, for programs. The values do not change.'),
  requestId: p.string('Id of the request, as in X-Request-Id and in the log of the server.'),
  details: z.array(errorDetail).optional().describe('The fields that are wrong, or what was not found.'),
  retryAfter: z.number().int().min(1).optional().describe('Seconds until a request would be admitted.'),
});
export type ErrorBody = z.infer<typeof errorBody>;
