// Owns the texts of API keys, and of tokens, which give access to anyone who has them: how they are created, stored and shown.

import { hash, randomBytes } from 'node:crypto';
import { apiKeyChecksum } from '@envsnap/shared/api-key-format';

const keyPrefix = 'mk_';
const randomKeyBytes = 28;
const shownLength = 11;

/** A new key: `mk_`, 28 random bytes as hex, and the CRC-32 of those 56 digits as 8 more. docs/specification.md §1. */
export function generateApiKey(): string {
  const random = randomBytes(randomKeyBytes).toString('hex');
  return `${keyPrefix}${random}${apiKeyChecksum(random)}`;
}

/** The stored hash of a key, by which it is looked up: SHA-256 as hex. A key has 224 random bits, so no slow hash is needed. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

export function apiKeyPrefixOf(apiKey: string): string {
  return apiKey.slice(0, shownLength);
}

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
