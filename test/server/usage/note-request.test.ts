import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { createBeginRequest } from '../../../packages/server/src/infra/http/begin-request.ts';
import { createByteBudget } from '../../../packages/server/src/infra/http/byte-budget.ts';
import { contextOf } from '../../../packages/server/src/infra/http/request-context.ts';
import type { NoteRequestDeps } from '../../../packages/server/src/usage/note-request.ts';
import { createNoteRequest } from '../../../packages/server/src/usage/note-request.ts';
import type { LoggedRequestRow } from '../../../packages/server/src/usage/request-log-repository.ts';

type Handled = Parameters<ReturnType<typeof createBeginRequest>>;

afterEach(() => {
  vi.restoreAllMocks();
});

it('requests that follow each other within a millisecond keep their order in the history', () => {
  let clockMs = 0;
  const rows: LoggedRequestRow[] = [];
  const onFinished = createNoteRequest({
    logger: { info: () => undefined },
    metrics: { observeRequest: () => undefined },
    recorder: { record: (row: LoggedRequestRow) => void rows.push(row) },
    slowRequestMs: 1000,
  } as unknown as NoteRequestDeps);
  const begin = createBeginRequest(onFinished, createByteBudget(1024), {
    nowMs: () => 1_770_000_000_000 + Math.floor(clockMs),
  });
  vi.spyOn(performance, 'now').mockImplementation(() => clockMs);
  const call = (path: string, fromMs: number, untilMs: number) => {
    clockMs = fromMs;
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: path });
    const response = new ServerResponse(request);
    begin(request as Handled[0], response as Handled[1], () => undefined);
    contextOf(request).principal = { projectId: 'p', apiKeyId: 'k' } as never;
    clockMs = untilMs;
    response.emit('close');
  };
  // Their durations are rounded to 0 and 1.
  call('/first', 7.0, 7.3);
  call('/second', 7.4, 7.95);
  call('/third', 8.1, 9.2);
  expect(rows.map((row) => [row.path, row.created_at - 1_770_000_000_000, row.response_time_ms])).toEqual([
    ['/first', 7, 0],
    ['/second', 7, 1],
    ['/third', 8, 1],
  ]);
});
