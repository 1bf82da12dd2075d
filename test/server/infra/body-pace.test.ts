// A body that brings too little ends with 408; one that is whole, or that the server itself does not read, does not drip.

import { expect, it, onTestFinished, vi } from 'vitest';
import { watchPace } from '../../../packages/server/src/infra/http/json-body.ts';

it.each([
  { what: 'brings nothing', complete: false, isPaused: false, refused: true },
  { what: 'is whole, while its store is slow', complete: true, isPaused: false, refused: false },
  { what: 'is not read', complete: false, isPaused: true, refused: false },
])('a body that $what', ({ complete, isPaused, refused }) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const request = {
    socket: { bytesRead: 5000 },
    complete,
    isPaused: () => isPaused,
  } as unknown as Parameters<typeof watchPace>[0];
  const slow = vi.fn();
  onTestFinished(watchPace(request, slow));
  vi.advanceTimersByTime(60_000);
  expect(slow.mock.calls.length > 0).toBe(refused);
});
