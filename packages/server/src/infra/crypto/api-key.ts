// Owns the text of an API key: how one is made, recognised without a look-up, and turned into what is stored.

import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiKeyPattern } from '@envsnap/shared';

const keyPrefix = 'mk_';
const randomKeyBytes = 28;
const randomEnd = keyPrefix.length + randomKeyBytes * 2;
const shownLength = 11;

function checksum(randomHex: string): string {
  return crc32(randomHex).toString(16).padStart(8, '0');
}

/** A new key: `mk_`, 28 random bytes as hex, and the CRC-32 of those 56 digits as 8 more. Decisions §1. */
export function generateApiKey(): string {
  const random = randomBytes(randomKeyBytes).toString('hex');
  return `${keyPrefix}${random}${checksum(random)}`;
}

/** Whether the text can be a key at all; a mistyped or cut one is refused without asking the database. */
export function isWellFormedApiKey(text: string): boolean {
  return (
    apiKeyPattern.test(text) && checksum(text.slice(keyPrefix.length, randomEnd)) === text.slice(randomEnd)
  );
}

/** What is stored of a key and looked up: its SHA-256 as hex. A key has 224 random bits, so no slow hash is needed. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

/** The part of a key that lists may show: its first 11 characters. */
export function apiKeyPrefixOf(apiKey: string): string {
  return apiKey.slice(0, shownLength);
}
