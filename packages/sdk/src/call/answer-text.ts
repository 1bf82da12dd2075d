// Reads a response's body as text, up to a limit of bytes after decompression, because a server may be hostile.

import type { OperationName } from '../contract/routes.ts';
import type { FetchResponse } from '../platform-types.ts';

/** Maximum bytes of an error's response that are read. */
export const errorAnswerBytes = 256 * 1024;

/**
 * Most MiB of a response. A snapshot has at most what the server accepts, by default 8 MiB. A list has a hundred of them without
 * variables and dependencies, half a MiB each. A list of machines also has 16 Mi characters of values. A comparison names every
 * package of two snapshots.
 */
const answerMebibytes: Partial<Record<OperationName | 'request', number>> = {
  getSnapshot: 16,
  getHistory: 16,
  listSnapshots: 64,
  listMachines: 128,
  compareSnapshots: 64,
};

/** Maximum bytes of the response of an operation, or of `client.request()`, unless the caller sets another limit. */
export function maxAnswerBytesOf(operation: OperationName | 'request'): number {
  return (answerMebibytes[operation] ?? 8) * 1024 * 1024;
}

/** A body had more bytes than allowed. The message is the part that was read. */
export class BodyTooLargeError extends Error {}

/** `trustLength`: the platform cuts bodies at their declared length, so a short body can be read at once. */
export async function readText(
  response: FetchResponse,
  maxBytes: number,
  trustLength: boolean,
): Promise<string> {
  const length = response.headers.get('content-length');
  if (trustLength && length !== null && response.headers.get('content-encoding') === null) {
    if (Number(length) <= maxBytes) return response.text();
  }
  const body = response.body as ReadableStream<Uint8Array> | null;
  // A custom fetch may return other kinds of streams, whose bytes cannot be counted here.
  if (!body?.getReader) return response.text();
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => undefined);
      throw new BodyTooLargeError(text);
    }
    text += decoder.decode(value, { stream: true });
  }
}
