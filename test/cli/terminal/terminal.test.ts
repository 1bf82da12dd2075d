// Text for terminals: harmless, with correct widths, coloured only if wanted.

import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutText, renderFields, renderTable } from '../../../packages/cli/src/render/layout/table.ts';
import { openerOf } from '../../../packages/cli/src/service-commands/files-and-shares.ts';
import { screenOf } from '../../../packages/cli/src/terminal/terminal.ts';
import { shellWord, visible } from '../../../packages/shared/src/text/visible.ts';

const pipe = screenOf({}, {});
const narrow = screenOf({ isTTY: true, columns: 40 }, { NO_COLOR: '1' });

describe('a screen', () => {
  it('is 80 columns wide if a terminal has no size, and never narrower than 20', () => {
    const columnsOf = (size: { columns?: number }) => screenOf({ isTTY: true, ...size }, {}).columns;
    const sizes = [{}, { columns: 0 }, { columns: 5 }, { columns: 120 }];
    expect(sizes.map(columnsOf)).toEqual([80, 80, 20, 120]);
  });
});

describe('colour', () => {
  it('comes with a terminal or FORCE_COLOR, and goes with NO_COLOR or a dumb terminal', () => {
    const coloured = (isTTY: boolean, env: Record<string, string>) =>
      screenOf({ isTTY, columns: 80 }, env).paint('red', 'x') !== 'x';
    expect(coloured(true, {})).toBe(true);
    expect(coloured(false, {})).toBe(false);
    expect(coloured(true, { NO_COLOR: '1' })).toBe(false);
    expect(coloured(true, { NO_COLOR: '' })).toBe(true);
    expect(coloured(true, { TERM: 'dumb' })).toBe(false);
    expect(coloured(false, { FORCE_COLOR: '1' })).toBe(true);
    expect(coloured(true, { FORCE_COLOR: '0' })).toBe(false);
    expect(coloured(true, { FORCE_COLOR: '1', NO_COLOR: '1' })).toBe(false);
  });
});

describe('a word for a shell', () => {
  it('is quoted if necessary', () => {
    expect(shellWord('a/b-1.json')).toBe('a/b-1.json');
    expect(shellWord('my file.json')).toBe("'my file.json'");
    expect(shellWord("it's $HOME")).toBe(`'it'\\''s $HOME'`);
  });
});

describe('a table', () => {
  const columns = [
    { header: 'ID' },
    { header: 'NAME', shrinks: true },
    { header: 'N', align: 'right' as const },
  ];

  it('aligns columns by the width that is seen, wide characters included', () => {
    const text = renderTable(
      columns,
      [
        ['1', '日本', '5'],
        ['22', 'plain', '10'],
      ],
      pipe,
    );
    expect(text).toBe('ID  NAME    N\n1   日本    5\n22  plain  10\n');
  });

  it('is cut to a terminal in the columns that may shrink, and never elsewhere', () => {
    const long = 'x'.repeat(100);
    const cut = renderTable(columns, [['1', long, '5']], narrow);
    for (const line of cut.trimEnd().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
    expect(cut).toContain('…');
    expect(renderTable(columns, [['1', long, '5']], pipe)).toContain(long);
  });

  it('keeps a row on one line whatever its cells hold', () => {
    expect(renderTable(columns, [['1', 'a\nb\u001b[2J', '5']], pipe).split('\n')).toHaveLength(3);
    expect(renderFields([['name', 'a\nb']], pipe)).toBe('name  a\\nb\n');
    expect(renderFields([['a\u001b[2J\nb', 'x']], pipe)).toBe('a\\x1b[2J\\nb  x\n');
  });
});

describe('cutting', () => {
  it('never exceeds the width', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 20 }), (text, width) => {
        expect([...cutText(visible(text), width)].length).toBeLessThanOrEqual(Math.max(width, text.length));
        if (/^[\x20-\x7e]*$/.test(text)) expect(cutText(text, width).length).toBeLessThanOrEqual(width);
      }),
    );
  });
});

it('names the program that opens a browser by its path on Windows, so that none of the working folder is taken', () => {
  expect(path.win32.isAbsolute(openerOf('win32')[0] ?? '')).toBe(true);
  expect(openerOf('win32', 'D:\\W')[0]).toBe('D:\\W\\System32\\rundll32.exe');
  expect(openerOf('darwin')[0]).toBe('/usr/bin/open');
});
