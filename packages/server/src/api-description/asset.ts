// Texts that are the same for every caller. Each is compressed once and has an entity tag, so a browser fetches it once.

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { acceptsGzip } from '../infra/http/compressed-page.ts';
import { matchesEtag } from '../infra/http/etag.ts';
import { endWithShared } from '../infra/http/respond.ts';

export interface Asset {
  readonly contentType: string;
  readonly packed: Buffer;
  /** Uncompressed, for callers that do not accept compression. Built once. */
  readonly unpacked: () => Promise<Buffer>;
  /** Sent as a weak tag, because the encoding depends on the caller. */
  readonly etag: string;
}

const pack = promisify(gzip);
const unpack = promisify<Buffer, Buffer>(gunzip);

export async function packAsset(contentType: string, text: string): Promise<Asset> {
  return assetOf(contentType, await pack(text));
}

export function assetOf(contentType: string, packed: Buffer): Asset {
  const digest = createHash('sha256').update(packed).digest('base64url').slice(0, 22);
  return { contentType, packed, unpacked: memoized(() => unpack(packed)), etag: `"${digest}"` };
}

export async function sendAsset(request: Request, response: Response, asset: Asset): Promise<void> {
  response.setHeader('ETag', `W/${asset.etag}`);
  response.setHeader('Cache-Control', 'no-cache');
  response.setHeader('Vary', 'Accept-Encoding');
  if (matchesEtag(request, asset.etag)) {
    response.statusCode = 304;
    response.end();
    return;
  }
  response.setHeader('Content-Type', asset.contentType);
  endWithShared(response, acceptsGzip(request, response) ? asset.packed : await asset.unpacked());
}

export function memoized<T>(make: () => T): () => T {
  let value: { readonly made: T } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}
