// Compresses JSON responses for callers that accept it. Decisions: docs/decisions/0005-http-limits.md.

import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import type { Operation } from '@envsnap/shared';
import type { Request, Response } from 'express';
import type { JsonText } from '../json-text.ts';
import { endWith, longAnswer, sendStream } from './respond.ts';

/** Smallest response that is compressed, in UTF-16 units: below this, the headers outweigh the savings. */
const leastLength = 1024;

/** Quality 4 costs about as much as gzip and makes responses a fifth smaller. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const packBrotli = promisify(brotliCompress);
const encoders = {
  br: {
    whole: (text: string) => packBrotli(text, brotliOptions),
    stream: () => createBrotliCompress(brotliOptions),
  },
  gzip: { whole: promisify(gzip) as (text: string) => Promise<Buffer>, stream: () => createGzip() },
};
type Encoding = keyof typeof encoders;

/** The encoding of a response, if any. New secrets are never compressed: the length would reveal something about them. */
export function encodingOf(request: Request, operation: Operation, json: JsonText): Encoding | undefined {
  if (json.length < leastLength || operation.idempotency === 'secret' || request.method === 'HEAD')
    return undefined;
  if (request.headers['accept-encoding'] === undefined) return undefined;
  const chosen = request.acceptsEncodings('br', 'gzip', 'identity');
  return chosen === 'br' || chosen === 'gzip' ? chosen : undefined;
}

export async function sendCompressed(
  response: Response,
  status: number,
  json: JsonText,
  encoding: Encoding,
): Promise<void> {
  const { whole, stream } = encoders[encoding];
  response.statusCode = status;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Encoding', encoding);
  response.setHeader('Cache-Control', 'no-store');
  const etag = response.getHeader('ETag');
  // A strong tag would promise the same bytes whatever the encoding. RFC 9110 §8.8.1.
  if (typeof etag === 'string' && !etag.startsWith('W/')) response.setHeader('ETag', `W/${etag}`);
  if (json.length < longAnswer) {
    const bytes = await whole(json.text);
    response.setHeader('Content-Length', bytes.length);
    endWith(response, bytes);
    return;
  }
  await sendStream(response, json.length, Readable.from(json.parts), { through: [stream()] });
}
