// Sends the bytes of a file as fast as the caller takes them. docs/specification.md §6; RFC 6266, RFC 9110.

import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { errorCodes } from '@envsnap/shared';
import { create as attachment } from 'content-disposition';
import type { Request } from 'express';
import { AppError } from '../infra/app-error.ts';
import { checkIfMatch, matchesEtag } from '../infra/http/etag.ts';
import { sendStream } from '../infra/http/respond.ts';
import type { FileRow } from './repository.ts';

/** Bytes and milliseconds after which the caller's access is checked again. */
const checkBytes = 8 * 1024 * 1024;
const usualCheckMs = 2000;

export interface FileSource {
  readonly open: (firstByte: number) => Promise<AsyncGenerator<Buffer, void, undefined>>;
  /** Rejects if the caller may no longer read the file. */
  readonly checkAgain: () => Promise<unknown>;
  /** Milliseconds between two checks; default 2 s. */
  readonly checkMs?: number | undefined;
}

/**
 * Sends a file or the requested range, only the headers for HEAD, or 304 if the caller has it. An error before the first byte
 * rejects with nothing sent. A later one, or the loss of access, cuts the connection, so that no caller mistakes a part for the
 * whole file.
 */
export async function sendFile(
  request: Request,
  response: ServerResponse,
  file: FileRow,
  { open, checkAgain, checkMs = usualCheckMs }: FileSource,
): Promise<void> {
  const etag = `"${file.checksum}"`;
  checkIfMatch(request, etag);
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
  const content = request.method === 'HEAD' ? undefined : await open(range?.start ?? 0);
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
  const ending = new AbortController();
  const check = async () => {
    await checkAgain().catch((error: unknown) => {
      // If the database is unavailable for a moment, the transfer continues.
      if (error instanceof AppError && errorCodes[error.code].status < 500) ending.abort(error);
    });
  };
  // Also checks slow callers between two chunks.
  const timer = setInterval(() => void check(), checkMs);
  try {
    const bytes = sent(first.value, content, length, check);
    const { signal } = ending;
    await sendStream(response, 0, Readable.from(bytes, { objectMode: false }), { signal });
  } finally {
    clearInterval(timer);
    // If the caller disconnects before the first byte, the file must be closed here.
    content.return().catch(() => undefined);
  }
}

/** The requested range, unless the caller has a part of another file (`If-Range`). Only GET has ranges. */
function rangeOf(request: Request, etag: string, sizeBytes: number): ByteRange | undefined {
  const condition = request.headers['if-range'];
  if (request.method !== 'GET' || (condition !== undefined && condition !== etag)) return undefined;
  const range = parseByteRange(request.headers.range, sizeBytes);
  if (range !== 'unsatisfiable') return range;
  throw new AppError('range_not_satisfiable', `The file has ${sizeBytes} bytes`, undefined, {
    headers: { 'Content-Range': `bytes */${sizeBytes}` },
  });
}

/** The first bytes of a stream, up to a number; calls `check` at intervals. */
async function* sent(
  first: Buffer,
  rest: AsyncGenerator<Buffer, void, undefined>,
  length: number,
  check: () => Promise<void>,
): AsyncGenerator<Buffer> {
  let left = length;
  let unchecked = 0;
  for (let chunk: Buffer | undefined = first; chunk; chunk = (await rest.next()).value ?? undefined) {
    unchecked += chunk.length;
    if (unchecked > checkBytes) {
      await check();
      unchecked = 0;
    }
    yield chunk.length > left ? chunk.subarray(0, left) : chunk;
    left -= chunk.length;
    if (left <= 0) return;
  }
}

interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The requested range within the bytes. Undefined if the whole file is to be sent: there is no header, or it has another unit,
 * several ranges, or a range that cannot be read. `unsatisfiable` when the range lies outside the bytes.
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
