// Answers with the bytes of a file, as fast as the caller takes them. docs/specification.md §6; RFC 6266, RFC 9110.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as attachment } from 'content-disposition';
import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import { type ByteRange, parseByteRange } from '../infra/http/byte-range.ts';
import { matchesEtag } from '../infra/http/etag.ts';
import type { FileRow } from './repository.ts';

/**
 * Sends a file or the range of it that is asked for, only the headers for HEAD, or 304 when the caller has it. An error
 * before the first byte rejects with nothing sent; a later one cuts the connection, so that no caller takes a part for
 * the whole.
 */
export async function sendFile(
  request: Request,
  response: ServerResponse,
  file: FileRow,
  open: (firstByte: number) => AsyncGenerator<Buffer, void, undefined>,
): Promise<void> {
  const etag = `"${file.checksum}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  response.setHeader('Accept-Ranges', 'bytes');
  if (matchesEtag(request, etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const size = file.size_bytes;
  const range = rangeOf(request, etag, size);
  const content = request.method === 'HEAD' ? undefined : open(range?.start ?? 0);
  const first = await content?.next();
  response.statusCode = range ? 206 : 200;
  if (range) response.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${size}`);
  const length = range ? range.end - range.start + 1 : size;
  response.setHeader('Content-Type', file.content_type);
  response.setHeader('Content-Length', length);
  response.setHeader('Content-Disposition', attachment(file.filename));
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  if (!content || first?.done !== false) {
    response.end();
    return;
  }
  try {
    const bytes = upTo(length, resume(first.value, content));
    await pipeline(Readable.from(bytes, { objectMode: false }), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
  }
}

/** The range that is asked for, unless the caller has a part of another file (`If-Range`). Only GET has ranges. */
function rangeOf(request: Request, etag: string, sizeBytes: number): ByteRange | undefined {
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  const range = parseByteRange(request.headers.range, sizeBytes);
  if (range !== 'unsatisfiable') return range;
  throw new AppError('range_not_satisfiable', `The file has ${sizeBytes} bytes`, undefined, {
    headers: { 'Content-Range': `bytes */${sizeBytes}` },
  });
}

/** The first bytes of a stream; what is left of it is not read. */
async function* upTo(length: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of bytes) {
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}

async function* resume(first: Buffer, rest: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

function isCallerGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED'].includes(String(code));
}
