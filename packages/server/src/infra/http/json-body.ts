// Reads whole bodies: size limit after decompression, gzip, br and deflate, the service's own errors. A body that is too
// large is refused as soon as that is known, not after its last byte.

import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { limits, type Operation, seeLimits } from '@envsnap/shared';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';
import { contextOf } from './request-context.ts';

/** Milliseconds from the first look at a body to its last byte: 8 MiB at 140 kB/s. */
const bodyTimeoutMs = 60_000;

/** A body that brings fewer bytes than this in `slowestSeconds` is refused. */
const slowestBytes = 10 * 1024;
const slowestSeconds = 10;

/** Maximum bytes that compression may add to a body. */
const packingBytes = 64 * 1024;

export type ReadJsonBody = (request: Request, operation: Operation) => Promise<Buffer | undefined>;

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
  deflate: createInflate,
};

/** JSON bodies have at most 64 KiB, counted after decompression, those of operations with large ones `largeBodyBytes`. */
export function createJsonBodyReader(largeBodyBytes: number): ReadJsonBody {
  return async (request, { largeBody }) => {
    const { headers } = request;
    const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
    if (!hasBody) return undefined;
    checkContentType(headers['content-type'] ?? '');
    const bytes = await readBytes(request, largeBody ? largeBodyBytes : limits.bodyBytes);
    return bytes.length === 0 ? undefined : bytes;
  };
}

/** Accepts JSON in UTF-8 only: RFC 8259 §8.1. */
function checkContentType(contentType: string): void {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !/^application\/[\w.-]+\+json$/.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json (Content-Type header).');
  }
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8') {
    throw new AppError('unsupported_media_type', 'The body must be UTF-8.');
  }
}

/** Reads a body of at most `maxBytes` bytes, unpacked. Rejects with 400, 408, 413, 415 or 503. */
export function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const { headers } = request;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && !Object.hasOwn(decoders, encoding)) {
    throw new AppError('unsupported_media_type', 'Content-Encoding must be gzip, br, deflate or absent.');
  }
  if (encoding === 'identity' && Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const { holdBody } = contextOf(request);
  const decoder = encoding === 'identity' ? undefined : decoders[encoding as keyof typeof decoders]();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let sent = 0;

    const timer = setTimeout(() => fail(late()), bodyTimeoutMs);
    const stopWatching = watchPace(request, fail);
    const settle = () => {
      clearTimeout(timer);
      stopWatching();
    };

    function fail(error: AppError): void {
      settle();
      source.off('data', take);
      request.off('data', countSent);
      if (decoder) {
        request.unpipe(decoder);
        decoder.destroy();
      }
      // Read and drop the rest, so that the caller reads the response.
      request.resume();
      reject(error);
    }
    /** Limits compressed data that expands to nothing: empty members, flushes. */
    function countSent(chunk: Buffer): void {
      sent += chunk.length;
      if (sent > maxBytes + packingBytes) fail(tooLarge(maxBytes));
    }
    function take(chunk: Buffer): void {
      size += chunk.length;
      try {
        if (size > maxBytes) throw tooLarge(maxBytes);
        holdBody(size);
        chunks.push(chunk);
      } catch (error) {
        fail(error as AppError);
      }
    }
    function brokenOff(): void {
      if (!request.complete)
        fail(new AppError('malformed_request', 'The body ended before it was complete.'));
    }

    request.once('error', brokenOff);
    request.once('close', brokenOff);
    if (decoder) request.on('data', countSent);
    const source = decoder ? request.pipe(decoder) : request;
    decoder?.once('error', () => {
      fail(new AppError('malformed_request', `The body is not valid ${encoding}.`));
    });
    source.on('data', take);
    source.once('end', () => {
      settle();
      resolve(Buffer.concat(chunks));
    });
  });
}

/** Calls `onSlow` with `request_timeout` if a body arrives too slowly; returns a function that ends the watch. */
export function watchPace(request: Request, onSlow: (error: AppError) => void): () => void {
  const { socket } = request;
  let counts = [socket.bytesRead];
  const timer = setInterval(() => {
    if (request.isPaused() || request.complete) counts = [];
    counts.push(socket.bytesRead);
    if (counts.length <= slowestSeconds) return;
    const before = counts.shift() as number;
    if (socket.bytesRead - before < slowestBytes) onSlow(late());
  }, 1000).unref();
  return () => clearInterval(timer);
}

/** Ends the connection: the rest of such a body could keep it for an hour. */
function late(): AppError {
  return new AppError('request_timeout', 'The body did not arrive in time.', undefined, {
    headers: { Connection: 'close' },
  });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `The body is larger than ${maxBytes} bytes${seeLimits}.`);
}
