// Many callers at once, in a separate process, so that their work does not slow down what is measured. Run by checks: reads one
// JSON document on standard input, makes its requests, writes the responses' statuses and headers.

import { text } from 'node:stream/consumers';
import { send } from './requests.ts';

/** What the crowd does: all callers make the request at the same time. */
export interface CrowdOrder {
  readonly callers: number;
  readonly method: string;
  readonly url: string;
  readonly key: string;
  readonly body?: string | undefined;
}

/** One caller's response. */
export interface CrowdAnswer {
  readonly status: number;
  readonly retryAfter: number | null;
  readonly bytes: number;
}

if (import.meta.main) {
  const { callers, method, url, key, body } = JSON.parse(await text(process.stdin)) as CrowdOrder;
  const answers = await Promise.all(
    Array.from({ length: callers }, async (): Promise<CrowdAnswer> => {
      const answer = await send(method, url, { key, body });
      const retryAfter = answer.headers.get('retry-after');
      return {
        status: answer.status,
        retryAfter: retryAfter === null ? null : Number(retryAfter),
        bytes: Number(answer.headers.get('content-length') ?? 0),
      };
    }),
  );
  process.stdout.write(JSON.stringify(answers));
}
