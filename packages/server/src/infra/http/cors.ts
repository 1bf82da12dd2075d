// Lets pages of the origins that the operator names call the API (CORS). Keys travel in headers that a browser never adds
// automatically, so an allowed origin can do only what the page's own key allows. Fetch standard §3.3.

import type { RequestHandler } from 'express';

/** Headers of a response that a page may read, besides those that every page may. */
const exposedHeaders = `Accept-Ranges Allow Content-Disposition Content-Encoding Content-Range ETag
  Idempotency-Replayed Retry-After WWW-Authenticate X-Ignored-Parameters X-Request-Id X-RateLimit-Limit X-RateLimit-Remaining
  X-RateLimit-Reset`
  .split(/\s+/)
  .join(', ');

/** Seconds for which a browser need not ask again: the longest time that any browser accepts. */
const maxAgeSeconds = 86_400;

/**
 * Responds to preflight requests, and marks responses as readable for pages of these origins (`*` for every origin). `headers`
 * are those of a response that is not counted. Undefined if no origin is allowed: then the server does not support CORS.
 */
export function createCors(
  origins: readonly string[],
  headers: Readonly<Record<string, string>>,
): RequestHandler | undefined {
  if (origins.length === 0) return undefined;
  const allowsAll = origins.includes('*');
  const allowed = new Set(origins);
  return (request, response, next) => {
    if (!allowsAll) response.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(allowsAll || allowed.has(origin))) {
      next();
      return;
    }
    response.setHeader('Access-Control-Allow-Origin', allowsAll ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) {
      next();
      return;
    }
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.setHeader('Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE');
    // The wildcard does not include this header, so it is named.
    response.setHeader('Access-Control-Allow-Headers', '*, Authorization');
    response.setHeader('Access-Control-Max-Age', maxAgeSeconds);
    response.status(204).end();
  };
}
