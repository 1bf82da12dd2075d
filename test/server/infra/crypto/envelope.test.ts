import { createHash, createSecretKey, randomBytes } from 'node:crypto';
import { isWellFormedApiKey } from '@envsnap/shared';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  apiKeyPrefixOf,
  generateApiKey,
  hashApiKey,
} from '../../../../packages/server/src/infra/crypto/api-key.ts';
import {
  encodeContext,
  open,
  type SealContext,
  SealedDataError,
  seal,
} from '../../../../packages/server/src/infra/crypto/envelope.ts';

const key = createSecretKey(randomBytes(32));
const context: SealContext = {
  purpose: 'environment variables',
  projectId: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b77',
  table: 'snapshots',
  recordId: '019365a4-6f0e-7cc3-9a5a-0f6a2e4d1b78',
};

const contexts = fc.record<SealContext>({
  purpose: fc.string({ maxLength: 20 }),
  projectId: fc.string({ maxLength: 40, unit: 'grapheme' }),
  table: fc.string({ maxLength: 20 }),
  recordId: fc.string({ maxLength: 40 }),
});

test('what is sealed opens again, at any length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 5000 }), contexts, (plaintext, place) => {
      const sealed = seal(key, place, plaintext);
      expect(sealed).toHaveLength(plaintext.length + 29);
      expect(open(key, place, sealed).equals(plaintext)).toBe(true);
    }),
  );
});

test('an envelope with any one bit flipped is refused', () => {
  const plaintext = Buffer.from('DATABASE_PASSWORD=correct horse battery staple');
  const sealed = seal(key, context, plaintext);
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => open(key, context, changed)).toThrow(SealedDataError);
  }
});

test('an envelope that is cut anywhere, or longer, is refused', () => {
  const sealed = seal(key, context, Buffer.from('value'));
  for (let length = 0; length < sealed.length; length += 1)
    expect(() => open(key, context, sealed.subarray(0, length))).toThrow(SealedDataError);
  expect(() => open(key, context, Buffer.concat([sealed, Buffer.of(0)]))).toThrow(SealedDataError);
});

test('an envelope moved to any other place is refused', () => {
  fc.assert(
    fc.property(contexts, contexts, (here, there) => {
      fc.pre(JSON.stringify(here) !== JSON.stringify(there));
      const sealed = seal(key, here, Buffer.from('value'));
      expect(() => open(key, there, sealed)).toThrow(SealedDataError);
    }),
  );
});

test('no two places have the same associated data, however their parts are cut', () => {
  const parts = ['ab', 'c', 'ab', 'c'];
  const one = encodeContext({ purpose: 'ab', projectId: 'c', table: 'ab', recordId: 'c' });
  const other = encodeContext({ purpose: 'a', projectId: 'bc', table: 'ab', recordId: 'c' });
  expect(parts.join('')).toBe('abcabc');
  expect(one.equals(other)).toBe(false);
});

test('another key does not open it, and the error says nothing of the content', () => {
  const sealed = seal(key, context, Buffer.from('hunter2'));
  const attempt = () => open(createSecretKey(randomBytes(32)), context, sealed);
  expect(attempt).toThrow(SealedDataError);
  expect(attempt).not.toThrow(/hunter2/);
});

test('sealing the same value again gives other bytes and never the same nonce', () => {
  const nonces = new Set<string>();
  for (let n = 0; n < 5000; n += 1) nonces.add(seal(key, context, Buffer.alloc(4)).toString('hex', 1, 13));
  expect(nonces.size).toBe(5000);
});

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
