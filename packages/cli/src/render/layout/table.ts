// Aligned tables for terminals and files: no borders, so that columns can be copied and cut.

import { ago } from '@envsnap/shared/text/ago';
import { sharedLength } from '@envsnap/shared/text/size';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Screen, Style } from '../../terminal/terminal.ts';

export type Cell = string | { readonly text: string; readonly style: Style | readonly Style[] };

export interface Column {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** Whether the column may be cut if the terminal is too narrow. */
  readonly shrinks?: boolean;
  /** Left out if the terminal is too narrow for all columns, the highest number first, or if no row has a value. */
  readonly drops?: number;
}

/** A column of a list: its header, its cell for each row, and its options. */
export type ListColumn<Row> = readonly [
  header: string,
  cell: (row: Row) => Cell,
  options?: Omit<Column, 'header'>,
];

const gap = '  ';
const smallestShrunk = 8;

export function renderRows<Row>(
  screen: Screen,
  rows: readonly Row[],
  columns: readonly ListColumn<Row>[],
): string {
  return renderTable(
    columns.map(([header, , options]) => ({ header, ...options })),
    rows.map((row) => columns.map(([, cell]) => cell(row))),
    screen,
  );
}

/**
 * Renders rows under headers, if any column has one. Cell text is made harmless first. On a terminal that is too narrow, the widest
 * of the columns that may shrink are cut with `…`, and optional columns are left out; elsewhere nothing is cut.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  screen: Screen,
): string {
  const empty = columns.findIndex(
    ({ drops }, index) => drops !== undefined && rows.every((row) => textOfCell(row[index]) === ''),
  );
  const last = columns.findIndex(
    ({ drops }) => drops === Math.max(...columns.map((each) => each.drops ?? 0)),
  );
  const left =
    empty >= 0 && screen.interactive ? empty : leastWidth(columns, rows) > screen.columns ? last : -1;
  if (left >= 0)
    return renderTable(
      columns.toSpliced(left, 1),
      rows.map((row) => row.toSpliced(left, 1)),
      screen,
    );
  const cells = rows.map((row) =>
    row.map((cell) => ({
      text: visible(typeof cell === 'string' ? cell : cell.text),
      style: typeof cell === 'string' ? undefined : cell.style,
    })),
  );
  const widths = fitWidths(
    columns.map((column, index) =>
      Math.max(stringWidth(column.header), largest(cells.map((row) => stringWidth(row[index]?.text ?? '')))),
    ),
    columns,
    screen.columns,
  );
  const line = (texts: readonly { text: string; style?: Style | readonly Style[] | undefined }[]): string =>
    columns
      .map((column, index) => {
        const { text = '', style } = texts[index] ?? {};
        const width = widths[index] ?? 0;
        const cut = cutText(text, width);
        const padding = ' '.repeat(Math.max(0, width - stringWidth(cut)));
        const painted = style ? screen.paint(style, cut) : cut;
        if (column.align === 'right') return padding + painted;
        return index === columns.length - 1 ? painted : painted + padding;
      })
      .join(gap)
      .trimEnd();
  const header = line(columns.map((column) => ({ text: column.header, style: 'bold' as const })));
  const lines = [...(columns.some((column) => column.header !== '') ? [header] : []), ...cells.map(line)];
  return lines.map((each) => `${each}\n`).join('');
}

export function textOfCell(cell: Cell = ''): string {
  return typeof cell === 'string' ? cell : cell.text;
}

/** Columns of the terminal that a table needs when everything that may shrink is as narrow as it gets. */
function leastWidth(columns: readonly Column[], rows: readonly (readonly Cell[])[]): number {
  const widths = columns.map(({ header, shrinks }, index) => {
    const texts = rows.map((row) => textOfCell(row[index]));
    const natural = Math.max(stringWidth(header), largest(texts.map((text) => stringWidth(visible(text)))));
    return shrinks ? Math.min(natural, Math.max(smallestShrunk, stringWidth(header))) : natural;
  });
  return widths.reduce((sum, width) => sum + width + gap.length, -gap.length);
}

/** Narrows the widest columns that may shrink until a row fits. */
function fitWidths(natural: readonly number[], columns: readonly Column[], available: number): number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - available;
  while (excess > 0) {
    let widest = -1;
    for (const [index, column] of columns.entries()) {
      const width = widths[index] ?? 0;
      if (column.shrinks && width > smallestShrunk && width > (widths[widest] ?? 0)) widest = index;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

/** Cuts text to a number of columns; `…` marks the cut. */
export function cutText(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let result = '';
  let used = 0;
  for (const character of text) {
    const columns = stringWidth(character);
    if (used + columns > width - 1) break;
    result += character;
    used += columns;
  }
  return `${result}…`;
}

/** A name with its value; left out if there is no value. */
export type Field = readonly [name: string, value: string | null | undefined];

export function renderFields(fields: readonly Field[], screen: Screen): string {
  const rows = fields.flatMap(([name, value]): Cell[][] =>
    value == null ? [] : [[{ text: name, style: 'dim' }, value]],
  );
  return renderTable([{ header: '' }, { header: '' }], rows, screen);
}

/** The action, the fields of its result, and the lines after them. */
export function renderDone(
  said: string,
  fields: readonly Field[],
  screen: Screen,
  ...after: readonly string[]
): string {
  return [`${screen.paint('green', '✓')} ${said}`, '', renderFields(fields, screen), ...after].join('\n');
}

/** The largest number; 0 if there are none. 100,000 numbers as arguments of one call would not fit on the stack. */
export function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

/** A timestamp of the service: `3 hours ago` on a terminal, the timestamp itself elsewhere. */
export function when(timestamp: string, screen: Screen): string {
  return screen.interactive ? ago(timestamp, new Date()) : timestamp;
}

/** A duration: `640 ms`, `1.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A bar for a share from 0 to 1, with a width in columns. It is empty only for 0. */
export function bar(share: number, width: number): string {
  const clamped = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0));
  const parts = Math.max(clamped > 0 ? 1 : 0, Math.round(clamped * width * 8));
  return '█'.repeat(Math.floor(parts / 8)) + (eighths[parts % 8] ?? '');
}

/** `noun`: the items in the plural. `advice`: how to create the first one. */
export function renderPage<Row>(
  screen: Screen,
  rows: readonly Row[],
  { total, offset, noun, advice }: { total: number; offset: number; noun: string; advice: string },
  columns: readonly ListColumn<Row>[],
): string {
  if (rows.length === 0)
    return total > 0
      ? `There are only ${total} ${noun}, so --offset ${offset} leaves none.\n`
      : `No ${noun}. ${advice}\n`;
  const next = offset + rows.length;
  const more = total > next ? screen.paint('dim', `${total - next} more: --offset ${next}, or --all\n`) : '';
  return renderRows(screen, rows, columns) + more;
}

const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Shorter texts are not taken for ids. Ids are random, so two with the same beginning of this length are rare. */
const leastLength = 8;

/** Shortens ids as far as they stay unique among `texts`; other texts stay as they are. */
export function shortIds(texts: readonly string[]): (text: string) => string {
  const ids = [...new Set(texts.filter((text) => id.test(text)))].sort();
  const lengths = new Map(
    ids.map((own, index) => {
      const shared = Math.max(sharedLength(own, ids[index - 1]), sharedLength(own, ids[index + 1]));
      return [own, Math.max(leastLength, shared + 1)];
    }),
  );
  return (text) => {
    const length = lengths.get(text);
    // A shortened id does not end with a dash.
    return length === undefined ? text : text.slice(0, text[length - 1] === '-' ? length + 1 : length);
  };
}

/** The id of each item of a list: short on a terminal, whole in a file. */
export function idCells(
  items: readonly { readonly id: string }[],
  screen: Screen,
): (item: { readonly id: string }) => string {
  const short = shortIds(items.map(({ id: own }) => own));
  return ({ id: own }) => (screen.interactive ? short(own) : own);
}
