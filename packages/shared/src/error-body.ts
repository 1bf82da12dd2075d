// The body of an error answer. Spec: Errors; Decisions §2.

import * as z from 'zod';

/** One field that failed validation: its path in dots (`role`, `envVars.PATH`; empty for the whole) and what is wrong. */
export const errorDetail = z.object({ path: z.string(), message: z.string() });
export type ErrorDetail = z.infer<typeof errorDetail>;

/** Body of every error. `error` is for people; programs look at `code`. Spec: Errors. */
export const errorBody = z.object({
  error: z.string(),
  code: z.string(),
  requestId: z.string(),
  details: z.array(errorDetail).optional(),
  retryAfter: z.number().int().min(1).optional().describe('Seconds until a request would be admitted.'),
});
export type ErrorBody = z.infer<typeof errorBody>;
