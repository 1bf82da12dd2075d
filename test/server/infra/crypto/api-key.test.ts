import { createHash } from 'node:crypto';
import { isWellFormedApiKey } from '@envsnap/shared';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  apiKeyPrefixOf,
  generateApiKey,
  hashApiKey,
} from '../../../../packages/server/src/infra/crypto/api-key.ts';

test('a new key is well formed, and no two are the same', () => {
  const keys = Array.from({ length: 1000 }, generateApiKey);
  for (const key of keys) {
    expect(key).toMatch(/^mk_[0-9a-f]{64}$/);
    expect(isWellFormedApiKey(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(1000);
});

test('the last eight digits are the CRC-32 of the 56 before them, as anybody computes it', () => {
  // CRC-32 (IEEE) of 56 ASCII zeros, from an independent implementation (Python's zlib.crc32).
  expect(isWellFormedApiKey(`mk_${'0'.repeat(56)}cb612bfd`)).toBe(true);
});

test('a key with one digit mistyped, one missing or one too many is not well formed', () => {
  const digit = fc.constantFrom(...'0123456789abcdef');
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 66 }), digit, (position, replacement) => {
      const key = generateApiKey();
      fc.pre(key[position] !== replacement);
      const mistyped = key.slice(0, position) + replacement + key.slice(position + 1);
      expect(isWellFormedApiKey(mistyped)).toBe(false);
      expect(isWellFormedApiKey(key.slice(0, position) + key.slice(position + 1))).toBe(false);
      expect(isWellFormedApiKey(key + replacement)).toBe(false);
    }),
  );
});

test('other texts are not well formed', () => {
  const key = generateApiKey();
  for (const text of ['', 'mk_', key.toUpperCase(), key.slice(3), ` ${key}`, `${key}\n`, 'x'.repeat(100_000)])
    expect(isWellFormedApiKey(text)).toBe(false);
});

test('the hash is the SHA-256 of the text, and the prefix is its first 11 characters', () => {
  const key = generateApiKey();
  expect(hashApiKey(key)).toBe(createHash('sha256').update(key).digest('hex'));
  expect(apiKeyPrefixOf(key)).toBe(key.slice(0, 11));
});
