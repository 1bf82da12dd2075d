// Lines and tables on terminals that are too narrow for them.

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wrapLines } from '../../../packages/cli/src/render/layout/wrap-words.ts';
import { renderSnapshots } from '../../../packages/cli/src/render/service/snapshots.ts';
import { renderKeys } from '../../../packages/cli/src/service-commands/keys-and-members.ts';
import { screenOf } from '../../../packages/cli/src/terminal/terminal.ts';

const terminal = (columns: number) => screenOf({ isTTY: true, columns }, { NO_COLOR: '1' });
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('wrapLines', () => {
  it('breaks between words, under the last column of the line', () => {
    const text =
      '✓ config    one profile in ~/.config/envsnap, current: default\n  ✗ API_KEY  is not set, but required by the policy';
    expect(wrapLines(text, 40)).toBe(
      [
        '✓ config    one profile in',
        '            ~/.config/envsnap, current:',
        '            default',
        '  ✗ API_KEY  is not set, but required by',
        '             the policy',
      ].join('\n'),
    );
  });

  it('indents continuation lines by two if the line has no columns, and leaves short lines unchanged', () => {
    expect(wrapLines('  a line that is long\nshort   one', 14)).toBe(
      '  a line that\n    is long\nshort   one',
    );
  });

  it('keeps the column of a continued line, except for a word that fits only in a separate line', () => {
    expect(wrapLines('          what continues a column', 24)).toBe(
      '          what continues\n          a column',
    );
    expect(wrapLines('name      is in /a/path/of/20/letters', 24)).toBe(
      'name      is in\n  /a/path/of/20/letters',
    );
  });

  it('keeps styles, and leaves a word whole that is wider than the terminal', () => {
    const bold = '\u001b[1mtwo words\u001b[22m';
    expect(wrapLines(bold, 5)).toBe('\u001b[1mtwo\nwords\u001b[22m');
    expect(wrapLines('a /very/long/path/to/a/file', 10)).toBe('a\n/very/long/path/to/a/file');
  });

  it('loses no word, and gets no line wider than it must', () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), fc.integer({ min: 20, max: 60 }), (words, width) => {
        const wrapped = wrapLines(words.join(' '), width);
        expect(wrapped.split(/\s+/)).toEqual(words);
        expect(widest(wrapped)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('changes nothing without a terminal', () => {
    expect(wrapLines('x'.repeat(500), Number.POSITIVE_INFINITY)).toHaveLength(500);
  });
});

describe('tables at 60 columns', () => {
  const uuid = (start: string) => `${start}-1111-4222-8333-444455556666`;
  const at = '2026-11-20T10:11:12.000Z';

  it('leave out columns that matter least before a row breaks', () => {
    const snapshots = ['0193a5c2', '0193a5c3'].map((start) => ({
      id: uuid(start),
      machineName: 'a-machine-with-a-name',
      os: 'linux',
      arch: 'x64',
      runtimeVersions: { node: '22.11.0' },
      metadata: {
        git: { branch: 'main', commit: '9fceb02d0ae598e9' },
        outcome: 'failed' as const,
        outcomeOf: 'test',
      },
      createdAt: at,
    }));
    const list = { snapshots, total: 2, limit: 50, offset: 0, next: null };
    const narrow = renderSnapshots(list, terminal(60));
    expect(widest(narrow)).toBeLessThanOrEqual(60);
    expect(narrow).toContain('STORED');
    expect(narrow).not.toContain('RUNTIMES');
    expect(renderSnapshots(list, terminal(120))).toContain('RUNTIMES');
    expect(renderSnapshots(list, screenOf({ isTTY: false }, {}))).toContain(uuid('0193a5c2'));
  });

  it('show ids by their shortest unique beginning', () => {
    const keys = ['0193a5c2', '0193a5c3'].map((start) => ({
      id: uuid(start),
      apiKeyId: uuid(start),
      label: 'continuous integration of the shop',
      role: 'member' as const,
      prefix: 'mk_01234567',
      createdAt: at,
      lastUsedAt: null,
      expiresAt: null,
    }));
    const narrow = stripVTControlCharacters(renderKeys(keys, terminal(60)));
    expect(widest(narrow)).toBeLessThanOrEqual(60);
    expect(narrow).toMatch(/^0193a5c2 {2}/m);
    expect(renderKeys(keys, screenOf({ isTTY: false }, {}))).toContain(uuid('0193a5c2'));
  });
});
