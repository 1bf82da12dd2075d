// The path under which a reverse proxy publishes the server: `/envsnap` for `https://example.com/envsnap/docs`. Requests
// come without it; only what links to other paths has to know it.

import type { IncomingMessage } from 'node:http';

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
