// Content to upload: files in memory, streams, and functions that open one, all read as chunks of bytes.

import { EnvsnapError, UsageError } from '../errors.ts';

/** A source of bytes that can be read once: a web stream, a Node stream, any async iterable of byte chunks. */
export type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>;

/** Checked content of an upload. */
export type Content = Blob | ByteStream | (() => ByteStream | Promise<ByteStream>);

/** The content as something that can be read. Throws `UsageError`. */
export function normalizeContent(content: unknown): Content {
  if (content instanceof Blob || typeof content === 'function') return content as Content;
  if (typeof content === 'string' || content instanceof ArrayBuffer) return new Blob([content]);
  if (content instanceof Uint8Array) return new Blob([content as Uint8Array<ArrayBuffer>]);
  if (typeof content === 'object' && content !== null) {
    if (content instanceof ReadableStream || Symbol.asyncIterator in content) return content as Content;
  }
  throw new UsageError('content must be a Blob, bytes, text, a stream, or a function that opens a stream');
}

const encoder = new TextEncoder();
/** Streams that were opened here, because not every kind shows that it was read. */
const opened = new WeakSet<object>();

function wasRead(stream: ByteStream): boolean {
  if (opened.has(stream)) return true;
  if (!(stream instanceof ReadableStream)) {
    return (stream as { readonly readableDidRead?: boolean }).readableDidRead === true;
  }
  try {
    // Refuses a stream that was already read.
    return new Response(stream).bodyUsed;
  } catch {
    return true;
  }
}

/** The bytes of the content. Fails for a stream that was already read, which would otherwise be stored as an empty file. */
export async function* openContent(content: Content): AsyncGenerator<Uint8Array> {
  const stream =
    content instanceof Blob ? content.stream() : typeof content === 'function' ? await content() : content;
  let isUsedUp = wasRead(stream);
  opened.add(Object(stream));
  const chunks = stream instanceof ReadableStream ? readChunks(stream) : stream;
  for await (const chunk of chunks) {
    isUsedUp = false;
    yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
  }
  if (isUsedUp) {
    throw new EnvsnapError(
      'The stream to upload was read before and has no bytes left: open a new one each time',
    );
  }
}

/** Not every platform can iterate over a stream. Cancels the stream if reading ends early. */
async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  let ended = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        ended = true;
        return;
      }
      yield value;
    }
  } finally {
    if (!ended) await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

/** Closes a caller's stream, so that its file or connection does not stay open. No effect on one that has ended. */
export function closeStream(content: unknown): void {
  if (content instanceof ReadableStream) {
    if (!content.locked) void content.cancel().catch(() => undefined);
  } else {
    const { destroy } = (content ?? {}) as { destroy?: unknown };
    if (typeof destroy === 'function') destroy.call(content);
  }
}

/** The error of a stream whose size is not the announced one. */
export function wrongSize(sizeBytes: number): EnvsnapError {
  return new EnvsnapError(`The file does not have the ${sizeBytes} bytes that sizeBytes announces`);
}

/** The error of a source that could not be read. */
export function sourceError(error: unknown): EnvsnapError {
  if (error instanceof EnvsnapError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new EnvsnapError(`The file to upload could not be read: ${reason}`, { cause: error });
}
