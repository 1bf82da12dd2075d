// The address under which a request reached the server, for what its answer names whole: shares, and links that sign in. A reverse
// proxy may publish the server under a base path (`/envsnap` for `https://example.com/envsnap/docs`): requests come without it.

import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { AppError } from '../app-error.ts';

const hostPattern = /^(?:[A-Za-z0-9._-]{1,255}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

/** Whether the caller speaks HTTPS, as a trusted proxy says (`X-Forwarded-Proto`). */
export function isSecure(request: Request): boolean {
  return request.protocol === 'https';
}

/**
 * Finds that address: scheme, host and base path, without a slash at the end. The host is the one that was called; a forwarded
 * one is not looked at, since not every proxy replaces what its caller sent. Errors: `malformed_request`.
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

/** Finds the base path of a request: what a trusted proxy says (`X-Forwarded-Prefix`), or the configured one. */
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
