import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanContentType, cleanFileName } from '../../../packages/server/src/files/multipart.ts';

describe('the name of an uploaded file', () => {
  it.each([
    ['report.txt', 'report.txt'],
    ['/etc/passwd', 'passwd'],
    ['../../../../etc/shadow', 'shadow'],
    ['C:\\fakepath\\secret.env', 'secret.env'],
    ['..\\..\\windows\\win.ini', 'win.ini'],
    ['mixed/of\\both', 'both'],
    ['.env', '.env'],
    ['...', '...'],
    [' spaces at the ends ', ' spaces at the ends '],
    ['a%22quoted%22.txt', 'a"quoted".txt'],
    ['100%.txt', '100%.txt'],
    ['%2e%2e%2f', '%2e%2e%2f'],
    ['Größe – 日本語 🎉.txt', 'Größe – 日本語 🎉.txt'],
    ['<script>alert(1)</script>', 'script>'],
    ["'; DROP TABLE files; --", "'; DROP TABLE files; --"],
    ['__proto__', '__proto__'],
    ['CON', 'CON'],
    ['x'.repeat(255), 'x'.repeat(255)],
    [`${'folder/'.repeat(100)}name`, 'name'],
  ])('%j is kept as %j', (sent, kept) => {
    expect(cleanFileName(sent)).toBe(kept);
  });

  it.each([
    [undefined, 'must have a file name'],
    ['', 'must have a file name'],
    ['   ', 'must have a file name'],
    ['.', 'must have a file name'],
    ['..', 'must have a file name'],
    ['folder/', 'must have a file name'],
    ['folder\\..', 'must have a file name'],
    ['nul\0byte', 'control characters'],
    ['line\r\nSet-Cookie: a=b', 'control characters'],
    ['line%0D%0ASet-Cookie: a=b', 'control characters'],
    ['tab\t', 'control characters'],
    ['delete\x7f', 'control characters'],
    ['escape\x1b[31m', 'control characters'],
    ['next line\x85', 'control characters'],
    ['half a pair \ud83c', 'unpaired surrogates'],
    ['x'.repeat(256), 'at most 255 characters'],
  ])('%j is refused', (sent, reason) => {
    expect(() => cleanFileName(sent)).toThrow(reason);
  });

  it('never holds a path, a control character or more than 255 characters', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
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
  it.each([
    ['text/plain', 'text/plain'],
    ['Application/JSON', 'application/json'],
    ['application/vnd.api+json', 'application/vnd.api+json'],
    ['', 'application/octet-stream'],
    ['text', 'application/octet-stream'],
    ['text/plain\r\nX: y', 'application/octet-stream'],
    ['text/<b>', 'application/octet-stream'],
    [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
  ])('%j is kept as %j', (sent, kept) => {
    expect(cleanContentType(sent)).toBe(kept);
  });
});
