import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanContentType, cleanFileName } from '../../../packages/server/src/files/multipart.ts';
import { anyCharacter } from '../../support/generated.ts';
import { readTestData } from '../../support/test-data.ts';

const { kept, refused, types } = readTestData<Record<'kept' | 'refused' | 'types', [string, string][]>>(
  import.meta,
);

describe('the name of an uploaded file', () => {
  it.each([...kept, ['x'.repeat(255), 'x'.repeat(255)], [`${'folder/'.repeat(100)}name`, 'name']])(
    '%j is kept as %j',
    (sent, name) => {
      expect(cleanFileName(sent)).toBe(name);
    },
  );

  it.each([
    ...refused,
    [undefined, 'must have a file name'] as const,
    ['half a pair \ud83c', 'unpaired surrogates'],
    ['x'.repeat(256), 'at most 255 characters'],
  ])('%j is refused', (sent, reason) => {
    expect(() => cleanFileName(sent)).toThrow(reason);
  });

  it('never holds a path, a control character or more than 255 characters', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('/', '\\', '..', '\r', '\n', '\0', '%0d', '%22'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        let name: string;
        try {
          name = cleanFileName(pieces.join(''));
        } catch {
          return;
        }
        expect(name).not.toMatch(/[/\\\p{Cc}]/u);
        expect(name.length).toBeLessThanOrEqual(255);
        expect(['', '.', '..']).not.toContain(name);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the content type of an uploaded file', () => {
  it.each([...types, [`text/${'x'.repeat(300)}`, 'application/octet-stream']])(
    '%j is kept as %j',
    (sent, type) => {
      expect(cleanContentType(sent)).toBe(type);
    },
  );
});
