// Ends callers who stop taking their answer: it holds memory for as long as it waits.

import type { ServerResponse } from 'node:http';

/** Cuts the connection when its caller takes nothing of an answer for so many milliseconds. An answer that is not ready yet may take its time. */
export function endWhenStalled(response: ServerResponse, stallMs: number): void {
  const look = () => {
    // The socket's time-out means that nothing came or went, not even a part of what is waiting.
    if ((response.socket?.writableLength ?? 0) > 0) response.destroy();
    else response.setTimeout(stallMs);
  };
  response.setTimeout(stallMs, look);
}
