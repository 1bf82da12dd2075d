// Requests that checks make: plain ones, and many at a time.

import { setTimeout as sleep } from 'node:timers/promises';

/** The response; status 0 if there was none. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  readonly body: any;
  readonly ms: number;
}

export interface RequestOptions {
  readonly key?: string | undefined;
  /** Sent as JSON, or as it is when it is text. */
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly timeoutMs?: number;
}

/** Makes a request; never rejects. */
export async function send(method: string, url: string, options: RequestOptions = {}): Promise<Answer> {
  const { key, body, headers = {}, timeoutMs = 60_000 } = options;
  const startedMs = performance.now();
  const elapsed = () => performance.now() - startedMs;
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(key !== undefined && { 'x-api-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
      ms: elapsed(),
    };
  } catch (error) {
    return { status: 0, headers: new Headers(), body: error, ms: elapsed() };
  }
}

/** Uploads a file of the given size; returns the status, 0 if there was no response. */
export async function upload(url: string, key: string, bytes: number): Promise<number> {
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(bytes)]), 'f.bin');
  try {
    const headers = { 'x-api-key': key };
    const response = await fetch(`${url}/machine/files`, { method: 'POST', headers, body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** A new project. Throws if the server does not create one. */
export async function bootstrap(url: string): Promise<{ key: string; projectId: string }> {
  const answer = await send('POST', `${url}/machine/keys/bootstrap`, { body: { projectName: 'check' } });
  if (answer.status !== 201) throw new Error(`bootstrap: ${answer.status} ${JSON.stringify(answer.body)}`);
  return { key: answer.body.apiKey, projectId: answer.body.projectId };
}

/** Runs `count` copies of `work` at a time until it is stopped; every worker gets its number. */
export function keepDoing(
  count: number,
  work: (worker: number) => Promise<void>,
): { readonly stop: () => Promise<void> } {
  let over = false;
  const doing = workers(count, () => over, work);
  return {
    stop: () => {
      over = true;
      return doing;
    },
  };
}

/** Callers that write snapshots until they are stopped, and their results. */
export interface Writing {
  readonly answers: Answer[];
  /** Ids of the snapshots that were acknowledged. */
  readonly acknowledged: string[];
  readonly stop: () => Promise<void>;
}

/** Has `count` callers write snapshots of a machine, with a pause after each response. */
export function writeSnapshots(
  count: number,
  key: string,
  urlOf: (worker: number) => string,
  { pauseMs = () => 0, envVars = {} }: { pauseMs?: (answer: Answer) => number; envVars?: object } = {},
): Writing {
  const answers: Answer[] = [];
  const acknowledged: string[] = [];
  const { stop } = keepDoing(count, async (worker) => {
    const body = { machineName: 'm', envVars };
    const answer = await send('POST', `${urlOf(worker)}/machine/snapshots`, { key, body });
    answers.push(answer);
    if (answer.status === 201) acknowledged.push(answer.body.id);
    const pause = pauseMs(answer);
    if (pause > 0) await sleep(pause);
  });
  return { answers, acknowledged, stop };
}

/** Runs `count` copies of `work` at a time until `isOver` says so; every worker gets its number. */
export async function workers(
  count: number,
  isOver: () => boolean,
  work: (worker: number) => Promise<void>,
): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, worker) => {
      while (!isOver()) await work(worker);
    }),
  );
}

/** Number of responses by status. */
export function countStatuses(answers: readonly Pick<Answer, 'status'>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
