// Conditional requests: whether the caller has the current version already. RFC 9110 §13.1.2.

import type { IncomingMessage } from 'node:http';
import { AppError } from '../app-error.ts';

/** Whether `If-None-Match` names this entity tag, by weak comparison, or is `*`. */
export function matchesEtag(request: IncomingMessage, etag: string): boolean {
  const sent = request.headers['if-none-match'];
  if (sent === undefined) return false;
  if (sent.trim() === '*') return true;
  return sent.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** Refuses a request whose `If-Match` names another version than this one; without an `etag`, whatever it names. Errors: `precondition_failed`. */
export function checkIfMatch(request: IncomingMessage, etag?: string): void {
  const sent = request.headers['if-match'];
  if (sent === undefined || sent.trim() === '*') return;
  if (etag !== undefined && sent.split(',').some((candidate) => candidate.trim() === etag)) return;
  throw new AppError('precondition_failed', 'If-Match does not match the current version');
}
