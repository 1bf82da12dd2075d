// Conditional requests: whether the caller has the current version already. RFC 9110 §13.1.2.

import type { IncomingMessage } from 'node:http';

/** Whether `If-None-Match` names this entity tag, by weak comparison, or is `*`. */
export function matchesEtag(request: IncomingMessage, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  if (sent === undefined) return false;
  if (sent.trim() === '*') return true;
  return sent.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
