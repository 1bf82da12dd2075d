// The address at which a request reached the server, for full addresses in responses: shares, and sign-in links. A reverse proxy
// may publish the server under a base path (`/envsnap` for `https://example.com/envsnap/docs`), which requests do not contain.

import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';

const hostPattern = /^(?:[A-Za-z0-9._-]{1,255}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

/** Whether the caller speaks HTTPS, as a trusted proxy says (`X-Forwarded-Proto`). */
export function isSecure(request: Request): boolean {
  return request.protocol === 'https';
}

/**
 * Returns that address: scheme, host and base path, without a slash at the end. The host is the requested one. A forwarded host is
 * ignored, because not every proxy replaces the one that its caller sent. Errors: `malformed_request`.
 */
export function createServerUrlOf(basePathOf: (request: Request) => string): (request: Request) => string {
  return (request) => {
    const host = request.headers.host ?? '';
    if (!hostPattern.test(host)) throw new AppError('malformed_request', 'The Host header names no host');
    return `${isSecure(request) ? 'https' : 'http'}://${host}${basePathOf(request)}`;
  };
}

/** Empty, or segments that each begin with `/`, without one at the end. */
export const basePathPattern = /^(?:\/[A-Za-z0-9._~-]{1,100}){0,10}$/;

/** The base path of a request: from a trusted proxy (`X-Forwarded-Prefix`), or the configured one. */
export function createBasePathOf(
  configured: string,
  isTrustedProxy: (address: string | undefined) => boolean,
): (request: IncomingMessage) => string {
  return (request) => {
    const sent = request.headers['x-forwarded-prefix'];
    if (typeof sent !== 'string' || !isTrustedProxy(request.socket.remoteAddress)) return configured;
    const path = sent.replace(/(?<!\/)\/+$/, '');
    return basePathPattern.test(path) ? path : configured;
  };
}
