// Pages for people, as they are sent and stored: compressed with gzip, with their content security policy.

import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { endWith, sendStream } from './respond.ts';
import { isSecure } from './server-url.ts';

interface Page {
  readonly status: number;
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

export interface CompressedPage {
  readonly status: number;
  /** HTML, compressed with gzip, in Base64. */
  readonly packed: string;
  readonly contentSecurityPolicy: string;
}

/** Half the work of the default level, for a tenth more bytes. */
const level = 4;

/** Compresses a page; the cost grows with its size, so call it in a thread. */
export function compressPage({ status, html, contentSecurityPolicy }: Page): CompressedPage {
  return { status, packed: gzipSync(html, { level }).toString('base64'), contentSecurityPolicy };
}

/** Headers of every page, so that nobody caches, indexes or frames it. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'X-Frame-Options': 'DENY',
} as const;

/** Sends a finished page. `referrer` is the referrer policy of its links. */
export function sendPage(
  response: Response,
  { status, html, contentSecurityPolicy }: Page,
  referrer: 'no-referrer' | 'same-origin',
): void {
  setHeaders(response, status, contentSecurityPolicy, referrer);
  response.setHeader('Content-Length', Buffer.byteLength(html));
  endWith(response, html);
}

/** Sends a compressed page: as it is to a caller that accepts gzip. */
export async function sendCompressedPage(
  request: Request,
  response: Response,
  page: { readonly status: number; readonly packed: Buffer; readonly contentSecurityPolicy: string },
  referrer: 'no-referrer' | 'same-origin',
): Promise<void> {
  const { packed } = page;
  setHeaders(response, page.status, page.contentSecurityPolicy, referrer);
  response.setHeader('Vary', 'Accept-Encoding');
  if (acceptsGzip(request, response)) {
    response.setHeader('Content-Length', packed.length);
    return endWith(response, packed);
  }
  // gzip ends with the length of its content.
  response.setHeader('Content-Length', packed.readUInt32LE(packed.length - 4));
  await sendStream(response, packed.length, Readable.from([packed]), { through: [createGunzip()] });
}

/** Whether the caller accepts gzip; sets `Content-Encoding` if so. */
export function acceptsGzip(request: Request, response: Response): boolean {
  const isAccepted = request.acceptsEncodings('gzip') === 'gzip';
  if (isAccepted) response.setHeader('Content-Encoding', 'gzip');
  return isAccepted;
}

function setHeaders(response: Response, status: number, policy: string, referrer: string): void {
  response.statusCode = status;
  // Removes a header that a failed response has set.
  for (const name of ['Content-Encoding', 'ETag']) response.removeHeader(name);
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  // Over plain HTTP browsers ignore it, and warn.
  if (isSecure(response.req)) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', referrer);
}
