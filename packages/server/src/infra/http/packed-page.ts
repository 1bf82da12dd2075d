// Pages for people as they travel and are stored: packed with gzip, with the policy that goes with them.

import { Readable } from 'node:stream';
import { createGunzip, gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { endWith, sendStream } from './respond.ts';
import { isSecure } from './server-url.ts';

/** A document with what it is sent with. */
interface Page {
  readonly status: number;
  readonly html: string;
  readonly contentSecurityPolicy: string;
}

/** A page from another thread, whose answers are JSON. */
export interface PackedPage {
  readonly status: number;
  /** HTML, packed with gzip, in Base64. */
  readonly packed: string;
  readonly contentSecurityPolicy: string;
}

/** Half the work of the default level, for a tenth more bytes. */
const level = 4;

/** Packs a page; costs with its size, so do it in a thread of its own. */
export function packPage({ status, html, contentSecurityPolicy }: Page): PackedPage {
  return { status, packed: gzipSync(html, { level }).toString('base64'), contentSecurityPolicy };
}

/** What every page is sent with. Nobody keeps it, indexes it or frames it. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'X-Frame-Options': 'DENY',
} as const;

/** Sends a page that is ready. `referrer` says to whom its links name it as the referrer. */
export function sendPage(
  response: Response,
  { status, html, contentSecurityPolicy }: Page,
  referrer: 'no-referrer' | 'same-origin',
): void {
  setHeaders(response, status, contentSecurityPolicy, referrer);
  response.setHeader('Content-Length', Buffer.byteLength(html));
  endWith(response, html);
}

/** Sends a page that is packed: as it is to whoever accepts that. */
export async function sendPackedPage(
  request: Request,
  response: Response,
  page: { readonly status: number; readonly packed: Buffer; readonly contentSecurityPolicy: string },
  referrer: 'no-referrer' | 'same-origin',
): Promise<void> {
  const { packed } = page;
  setHeaders(response, page.status, page.contentSecurityPolicy, referrer);
  response.setHeader('Vary', 'Accept-Encoding');
  if (acceptsPacked(request, response)) {
    response.setHeader('Content-Length', packed.length);
    return endWith(response, packed);
  }
  // The last bytes of what gzip packs are its length.
  response.setHeader('Content-Length', packed.readUInt32LE(packed.length - 4));
  await sendStream(response, packed.length, Readable.from([packed]), { through: [createGunzip()] });
}

/** Whether the caller takes what gzip has packed; sets the header that says so. */
export function acceptsPacked(request: Request, response: Response): boolean {
  const isAccepted = request.acceptsEncodings('gzip') === 'gzip';
  if (isAccepted) response.setHeader('Content-Encoding', 'gzip');
  return isAccepted;
}

function setHeaders(response: Response, status: number, policy: string, referrer: string): void {
  response.statusCode = status;
  // What an answer that failed has set.
  for (const name of ['Content-Encoding', 'ETag']) response.removeHeader(name);
  for (const [name, value] of Object.entries(pageHeaders)) response.setHeader(name, value);
  // Over plain HTTP browsers ignore it, and warn.
  if (isSecure(response.req)) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Referrer-Policy', referrer);
}
