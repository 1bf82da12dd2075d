import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob, GlobError, maxPatternLength } from '../../../packages/shared/src/text/glob.ts';
import { anyCharacter, rounds } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';

const { patterns } = readTestData<{ patterns: [string, string, boolean][] }>(import.meta);

const paths = (pattern: string, text: string) => compileGlob(pattern, { syntax: 'paths' })(text);

describe('patterns of keys', () => {
  it.each(patterns)('%s and %s: %s', (pattern, text, expected) => {
    expect(paths(pattern, text)).toBe(expected);
  });

  it('treat any text as itself behind backslashes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 50, unit: anyCharacter }), (text) => {
        const escaped = [...text].map((each) => (each === '/' ? each : `\\${each}`)).join('');
        expect(paths(escaped, text)).toBe(true);
      }),
    );
  });

  it('match a part by * as a regular expression would', () => {
    const small = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 });
    const written = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
    fc.assert(
      fc.property(written, small, (pattern, text) => {
        const expression = new RegExp(`^${pattern.replaceAll('*', '.*').replaceAll('?', '.')}$`);
        expect(compileGlob(pattern, { syntax: 'names' })(text)).toBe(expression.test(text));
      }),
      { numRuns: rounds(2000) },
    );
  });

  it('refuse a pattern that is too long or expands to too many', () => {
    expect(() => paths('a'.repeat(maxPatternLength + 1), 'a')).toThrow(GlobError);
    expect(() => paths('{a,b}'.repeat(40), 'a')).toThrow(GlobError);
    expect(() => paths('{'.repeat(1000), 'a')).not.toThrow();
  });
});

describe('the work of matching', () => {
  /** Counts reads of characters instead of time. */
  function looks(pattern: string, text: string): number {
    let count = 0;
    const watched = new Proxy([...text], {
      get(target, key) {
        if (key === 'toString') return () => text;
        if (key === 'includes') return (part: string) => text.includes(part);
        if (typeof key === 'string' && /^\d+$/.test(key)) count += 1;
        return Reflect.get(target, key);
      },
    });
    compileGlob(pattern, { syntax: 'paths' })(watched as unknown as string);
    return count;
  }

  it('grows with the pattern times the text, whatever they contain', () => {
    for (const [pattern, text] of [
      [`${'*a'.repeat(200)}b`, 'a'.repeat(2000)],
      ['*?'.repeat(200), 'a'.repeat(2000)],
      [`*${'a'.repeat(300)}?b`, 'a'.repeat(2000)],
    ] as const)
      expect(looks(pattern, text)).toBeLessThanOrEqual(pattern.length * text.length);
  });
});
