import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitChanged } from '../../../packages/compare/src/formats/entry-text.ts';

describe('splitChanged', () => {
  it.each([
    ['1.18.2', '1.19.0', '1.', '18.2', '19.0'],
    ['22.11.0', '24.1.0', '', '22.11.0', '24.1.0'],
    ['1.0.0', '1.0.0-rc.1', '1.0.', '0', '0-rc.1'],
    ['4.1.0', '4.1.0, 4.2.0', '4.1.0', '', ', 4.2.0'],
    ['1.0.0, 2.0.0', '1.0.0, 2.0.1', '1.0.0', ', 2.0.0', ', 2.0.1'],
    ['glibc 2.36', 'glibc 2.39', 'glibc 2.', '36', '39'],
  ])('%s and %s', (a, b, common, restA, restB) => {
    expect(splitChanged(a, b)).toEqual({ common, a: restA, b: restB });
  });

  it('loses nothing of either text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const parts = splitChanged(a, b);
        expect([parts.common + parts.a, parts.common + parts.b]).toEqual([a, b]);
      }),
    );
  });
});
