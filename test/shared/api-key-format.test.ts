import { crc32 } from 'node:zlib';
import { apiKeyChecksum, apiKeySecret, isWellFormedApiKey } from '@envsnap/shared';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const randomDigits = fc.string({
  unit: fc.constantFrom(...'0123456789abcdef'),
  minLength: 56,
  maxLength: 56,
});
const key = randomDigits.map((digits) => `mk_${digits}${apiKeyChecksum(digits)}`);

describe('apiKeyChecksum', () => {
  it('is the CRC-32 of zlib over the digits as text', () => {
    fc.assert(
      fc.property(randomDigits, (digits) => {
        expect(apiKeyChecksum(digits)).toBe(crc32(digits).toString(16).padStart(8, '0'));
      }),
    );
  });
});

describe('isWellFormedApiKey', () => {
  it('accepts what has the right check digits, and so does the contract', () => {
    fc.assert(
      fc.property(key, (text) => {
        expect(isWellFormedApiKey(text)).toBe(true);
        expect(apiKeySecret.safeParse(text).success).toBe(true);
      }),
    );
  });

  it('refuses every key with one digit mistyped, two neighbours swapped, or one end cut off', () => {
    fc.assert(
      fc.property(
        key,
        fc.integer({ min: 3, max: 65 }),
        fc.integer({ min: 1, max: 15 }),
        (text, at, shift) => {
          const digit = ((Number.parseInt(text[at] ?? '', 16) + shift) % 16).toString(16);
          expect(isWellFormedApiKey(text.slice(0, at) + digit + text.slice(at + 1))).toBe(false);
          const swapped = text.slice(0, at) + (text[at + 1] ?? '') + text[at] + text.slice(at + 2);
          if (swapped !== text) expect(isWellFormedApiKey(swapped)).toBe(false);
          expect(isWellFormedApiKey(text.slice(0, at))).toBe(false);
          expect(isWellFormedApiKey(text.slice(1))).toBe(false);
        },
      ),
    );
  });

  it('refuses other letter case, other prefixes and whitespace', () => {
    const good = `mk_${'a'.repeat(56)}${apiKeyChecksum('a'.repeat(56))}`;
    expect(isWellFormedApiKey(good)).toBe(true);
    for (const wrong of [good.toUpperCase(), good.replace('mk_', 'sk_'), `${good}\n`, ` ${good}`, ''])
      expect(isWellFormedApiKey(wrong)).toBe(false);
  });
});
