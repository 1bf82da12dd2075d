// Answers with the bytes of a file, as fast as the caller takes them. Decisions §6; RFC 6266, RFC 9110.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as attachment } from 'content-disposition';
import type { Request } from 'express';
import { matchesEtag } from '../infra/http/etag.ts';
import type { FileRow } from './repository.ts';

/**
 * Sends a file, or only its headers for HEAD, or 304 when the caller has it. An error before the first byte rejects
 * with nothing sent; a later one cuts the connection, so that no caller takes a part for the whole.
 */
export async function sendFile(
  request: Request,
  response: ServerResponse,
  file: FileRow,
  open: () => AsyncGenerator<Buffer, void, undefined>,
): Promise<void> {
  const etag = `"${file.checksum}"`;
  response.setHeader('ETag', etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (matchesEtag(request, etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  const content = request.method === 'HEAD' ? undefined : open();
  const first = await content?.next();
  response.statusCode = 200;
  response.setHeader('Content-Type', file.content_type);
  response.setHeader('Content-Length', file.size_bytes);
  response.setHeader('Content-Disposition', attachment(file.filename));
  response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
  if (!content || first?.done !== false) {
    response.end();
    return;
  }
  try {
    await pipeline(Readable.from(resume(first.value, content), { objectMode: false }), response);
  } catch (error) {
    if (!isCallerGone(error)) throw error;
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
