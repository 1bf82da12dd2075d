// Tokens: random texts that open something to whoever has them. Only their hashes are stored.

import { hash, randomBytes } from 'node:crypto';

const tokenBytes = 32;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new token: 256 random bits as 43 characters that need no escaping in an address. */
export function generateToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** What is stored of a token: its SHA-256 as hex; undefined for a text that is no token. */
export function hashToken(token: string): string | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'hex') : undefined;
}
