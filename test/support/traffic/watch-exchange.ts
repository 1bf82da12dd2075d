// Watches one request and its response in a server, without changing either.

import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** Largest body that is kept, in bytes; of a larger one only its size is known. */
const maxKeptBytes = 1024 * 1024;

/** A body as transmitted: undefined if it was too large to keep. */
type KeptBody = Buffer | undefined;

/** A request that was read completely, with its complete response. */
export interface Exchange {
  readonly method: string;
  /** Target of the request as received. */
  readonly target: string;
  readonly requestHeaders: NodeJS.Dict<string | string[]>;
  readonly requestBody: KeptBody;
  readonly status: number;
  readonly answerHeaders: OutgoingHttpHeaders;
  readonly answerBody: KeptBody;
}

/** Calls `done` with the exchange when its response was sent completely; never if the caller disconnected before. */
export function watchExchange(
  request: IncomingMessage,
  response: ServerResponse,
  done: (exchange: Exchange) => void,
): void {
  const { method = '', url: target = '', headers: requestHeaders } = request;
  const sent = new Chunks();
  const received = new Chunks();
  // A listener for 'data' would start the stream before the server wants it.
  const push = request.push.bind(request);
  // A request that waited for its connection has its body already.
  const before = request.readableLength > 0 ? request.read() : null;
  if (before !== null) {
    sent.add(before, undefined);
    request.unshift(before);
  }
  request.push = (chunk: unknown, encoding?: BufferEncoding) => {
    sent.add(chunk, encoding);
    return push(chunk, encoding);
  };
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...args: unknown[]) => unknown;
    const watched = (...args: unknown[]) => {
      received.add(args[0], args[1]);
      return original(...args);
    };
    response[name] = watched as never;
  }
  response.once('finish', () => {
    const { statusCode: status } = response;
    done({
      method,
      target,
      requestHeaders,
      requestBody: sent.bytes(),
      status,
      answerHeaders: response.getHeaders(),
      answerBody: received.bytes(),
    });
  });
}

class Chunks {
  #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: unknown, encoding: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return;
    this.#size += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
    if (this.#size > maxKeptBytes) this.#chunks = [];
    else if (typeof chunk !== 'string') this.#chunks.push(Buffer.from(chunk));
    else
      this.#chunks.push(
        Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8'),
      );
  }

  bytes(): KeptBody {
    return this.#size <= maxKeptBytes ? Buffer.concat(this.#chunks) : undefined;
  }
}
