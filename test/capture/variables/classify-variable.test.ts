// Which variables are secrets: the table of decisions in classify-variable.yaml.

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { classifyVariable } from '../../../packages/capture/src/variables/classify-variable.ts';
import { rounds } from '../../support/generated.ts';

type Decision = readonly [name: string, value: string];

const { secrets, innocents, units } = load(
  readFileSync(new URL('classify-variable.yaml', import.meta.url), 'utf8').replaceAll('·', ''),
) as Readonly<Record<'secrets' | 'innocents', readonly Decision[]>> & { readonly units: readonly string[] };

describe('the decision on a variable', () => {
  test(`holds for the table of ${secrets.length} secrets and ${innocents.length} innocents`, () => {
    expect(secrets.length + innocents.length).toBeGreaterThanOrEqual(150);
  });

  test.each(secrets)('hides %s=%s', (name, value) => {
    expect(classifyVariable(name, value)).toMatchObject({ decision: 'secret' });
  });

  test.each(innocents)('shows %s=%s', (name, value) => {
    expect(classifyVariable(name, value)).toMatchObject({ decision: 'plain' });
  });

  test('never repeats any of the value in its reason', () => {
    for (const [name, value] of secrets) {
      const { reason } = classifyVariable(name, value);
      for (const word of value.split(/\s+/)) if (word.length > 8) expect(reason).not.toContain(word);
    }
  });

  test('hides random keys in base64, base64url, base36 and hexadecimal whatever the name', () => {
    const encodings = [
      (bytes: Uint8Array) => Buffer.from(bytes).toString('base64'),
      (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url'),
      (bytes: Uint8Array) => Buffer.from(bytes).toString('hex'),
    ];
    const key = fc.uint8Array({ minLength: 32, maxLength: 64 }).filter((bytes) => new Set(bytes).size > 24);
    let hidden = 0;
    let drawn = 0;
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), key, fc.constantFrom(...encodings), (_, bytes, encode) => {
        drawn += 1;
        if (classifyVariable('VALUE', encode(bytes)).decision === 'secret') hidden += 1;
      }),
      { numRuns: rounds(2000), seed: 7 },
    );
    expect(hidden / drawn).toBeGreaterThan(0.97);
  });

  test('takes time that grows only with the length of name and value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', maxLength: 500 }),
        (name, value) => {
          expect(['plain', 'secret']).toContain(classifyVariable(name, value).decision);
        },
      ),
    );
    for (const unit of units)
      expect(classifyVariable('VALUE', unit.repeat(131_072 / unit.length)).reason).not.toBe('');
  });
});
