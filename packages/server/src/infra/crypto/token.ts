// Tokens: random texts that grant access to their holder. Only their hashes are stored.

import { hash, randomBytes } from 'node:crypto';

const tokenBytes = 32;
const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/** A new token: 256 random bits as 43 characters that need no escaping in an address. */
export function generateToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** The stored hash of a token: SHA-256 as hex; undefined for a text that is not a token. */
export function hashToken(token: string): string | undefined {
  return tokenPattern.test(token) ? hash('sha256', token, 'hex') : undefined;
}
