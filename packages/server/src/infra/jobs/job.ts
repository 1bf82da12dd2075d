// Jobs: work on stored data, done in a separate thread, so that no request waits for another one's data.

import type { AppError } from '../app-error.ts';

/** Work in the thread, on plain data; it may throw an AppError. `ask` is its only way to the database. */
export type Job<Input, Answer, Question, Reply> = (
  input: Input,
  ask: (question: Question) => Promise<Reply>,
) => Promise<Answer>;

export type JobTable<Question, Reply> = Readonly<Record<string, Job<never, unknown, Question, Reply>>>;

export type InputOf<J> = J extends (input: infer Input, ask: never) => unknown ? Input : never;
export type AnswerOf<J> = J extends (input: never, ask: never) => Promise<infer Answer> ? Answer : never;

/** Writes the results of jobs as JSON, in the thread. */
export function inJson<Question, Reply>(jobs: JobTable<Question, Reply>): JobTable<Question, Reply> {
  const written = Object.entries(jobs).map(([name, job]): [string, typeof job] => [
    name,
    async (input, ask) => new TextEncoder().encode(JSON.stringify(await job(input, ask))),
  ]);
  return Object.fromEntries(written);
}

export type ToThread =
  | { readonly kind: 'job'; readonly name: string; readonly input: unknown; readonly nowMs: number }
  | { readonly kind: 'reply'; readonly reply: unknown };

/** Messages from the thread: a request for data, the result, or an error, which may be the caller's fault or not. */
export type FromThread =
  | { readonly kind: 'question'; readonly question: unknown }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly refusal: Pick<AppError, 'code' | 'message' | 'details'> }
  | { readonly kind: 'failure'; readonly error: unknown };
