// Rows of differences fitted into a width: columns where there is room, else broken between words, never within one.

import type { Entry } from '@envsnap/compare/workspace';
import { splitChanged } from '@envsnap/compare/workspace/formats/entry-text';
import { visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Screen, Style } from '../../terminal/terminal.ts';
import { cutText, largest } from './table.ts';
import { wrapWords } from './wrap-words.ts';

export interface ChangeRow {
  /** Title of the section at its first row, else empty. */
  readonly title: string;
  readonly sign: string;
  readonly name: string;
  /** Change as two aligned columns around an arrow, or as one phrase. */
  readonly change: { readonly a: string; readonly b: string } | { readonly phrase: string };
  /** The distance of the two versions: `minor`. */
  readonly distance: string;
  /** Where it comes from, or why it does not count. */
  readonly tail: string;
  readonly dim: boolean;
  readonly entry?: Entry;
}

const signStyles: Record<string, Style> = { '-': 'red', '+': 'green', '~': 'yellow', '!': 'red' };
const distanceStyles: Record<string, Style> = { major: 'red', minor: 'yellow' };

/** Narrower terminals show titles on separate lines. */
const sideBySideColumns = 100;
const leastRoom = 24;

interface Columns {
  readonly indent: number;
  readonly name: number;
  /** Width of the left value, so that arrows are aligned. */
  readonly left: number;
  readonly change: number;
  readonly distance: number;
}

/** Lays out all rows. Without a width (a file) nothing is broken. */
export function layOutRows(rows: readonly ChangeRow[], screen: Screen): string[] {
  const shown = rows.map(harmless);
  const titled = screen.columns >= sideBySideColumns;
  const titleWidth = largest(shown.map((row) => stringWidth(row.title)));
  const columns = columnsOf(shown, titled ? 4 + titleWidth : 4, screen);
  if (!titled) return narrowLines(shown, columns, screen);
  return shown.flatMap((row) => {
    const lines = rowLines(row, columns, screen);
    const [first = '', ...rest] = lines;
    const title = row.title + ' '.repeat(titleWidth - stringWidth(row.title));
    return [`  ${screen.paint('bold', title)}  ${first.slice(columns.indent)}`.trimEnd(), ...rest];
  });
}

/** Titles have separate lines. So does a reason that consecutive rows share, because it would wrap in each of them. */
function narrowLines(rows: readonly ChangeRow[], columns: Columns, screen: Screen): string[] {
  const isShared = (row: ChangeRow, other: ChangeRow | undefined) =>
    row.dim && row.tail !== '' && other?.tail === row.tail && other.dim;
  return rows.flatMap((row, index) => {
    const goesOn = row.title === '' && isShared(row, rows[index - 1]);
    const next = rows[index + 1];
    const begins = !goesOn && next?.title === '' && isShared(row, next);
    const heading = wrapWords(`${row.tail}:`, Math.max(leastRoom, screen.columns - columns.indent));
    return [
      ...(row.title === '' ? [] : [`  ${screen.paint('bold', row.title)}`]),
      ...(begins ? heading.map((line) => ' '.repeat(columns.indent) + screen.paint('dim', line)) : []),
      ...rowLines(goesOn || begins ? { ...row, tail: '' } : row, columns, screen),
    ];
  });
}

function harmless(row: ChangeRow): ChangeRow {
  const { change, name, tail } = row;
  const shown =
    'a' in change ? { a: visible(change.a), b: visible(change.b) } : { phrase: visible(change.phrase) };
  return { ...row, name: visible(name), change: shown, tail: visible(tail) };
}

function columnsOf(rows: readonly ChangeRow[], indent: number, screen: Screen): Columns {
  const most = Number.isFinite(screen.columns) ? Math.max(16, Math.min(40, screen.columns * 0.4)) : 40;
  // A name that is longer has its own line on a terminal, and moves no other row.
  const name = largest(rows.map((row) => stringWidth(row.name)).map((width) => (width <= most ? width : 12)));
  const room = roomOf(indent, name, screen);
  const left = Math.min(
    Math.floor(room / 2) - 2,
    largest(rows.map((row) => ('a' in row.change ? stringWidth(row.change.a) : 0))),
    40,
  );
  const widths = rows
    .filter((row) => row.distance !== '' || row.tail !== '')
    .map((row) => stringWidth(plainChange(row.change, left)));
  return {
    indent,
    name,
    left,
    change: largest(widths.filter((width) => width <= Math.min(60, room))),
    distance: largest(rows.map((row) => (row.tail === '' ? 0 : row.distance.length))),
  };
}

function roomOf(indent: number, name: number, screen: Screen): number {
  return Math.max(leastRoom, screen.columns - (indent + 2 + name + 2));
}

function plainChange(change: ChangeRow['change'], left: number): string {
  if (!('a' in change)) return change.phrase;
  return `${change.a}${' '.repeat(Math.max(0, left - stringWidth(change.a)))} → ${change.b}`;
}

function rowLines(row: ChangeRow, columns: Columns, screen: Screen): string[] {
  const { indent, name } = columns;
  const dim = (text: string) => (row.dim ? screen.paint('dim', text) : text);
  const sign = row.dim ? dim(row.sign) : screen.paint(signStyles[row.sign] ?? 'dim', row.sign);
  const margin = ' '.repeat(indent + 2 + name + 2);
  const room = roomOf(indent, name, screen);
  const start = `${' '.repeat(indent)}${sign} `;
  const body = bodyLines(row, columns, room, screen);
  const longest = Math.max(8, screen.columns - indent - 2);
  if (stringWidth(row.name) > name && Number.isFinite(screen.columns)) {
    return [start + dim(cutText(row.name, longest)), ...body.map((line) => margin + line)];
  }
  const [first = '', ...rest] = body;
  const padded = row.name + ' '.repeat(Math.max(0, name - stringWidth(row.name)));
  return [`${start}${dim(padded)}  ${first}`.trimEnd(), ...rest.map((line) => margin + line)];
}

/** The change, the distance and the tail, in as few lines as fit. */
function bodyLines(row: ChangeRow, columns: Columns, room: number, screen: Screen): string[] {
  const { distance, tail, dim } = row;
  const plain = plainChange(row.change, columns.left);
  const change = paintedChange(row, plain, columns.left, room, screen);
  const ends = [distance, tail].filter((text) => text !== '').join('  ');
  if (ends === '') return change.lines;
  const painted = screen.paint(dim ? 'dim' : (distanceStyles[distance] ?? 'dim'), distance);
  const last = change.lines.at(-1) ?? '';
  const before = change.lines.slice(0, -1);
  // In its column if it fits, else after the change, else below it.
  const gap = ' '.repeat(Math.max(0, columns.change - stringWidth(plain)));
  const column = tail === '' ? distance.length : columns.distance;
  const aligned = column === 0 ? '' : `${painted}${' '.repeat(column - distance.length)}  `;
  const alignedWidth = gap.length + (column === 0 ? 0 : column + 2) + stringWidth(tail);
  if (before.length === 0 && change.width + 2 + alignedWidth <= room)
    return [`${last}${gap}  ${aligned}${screen.paint('dim', tail)}`.trimEnd()];
  if (change.width + 2 + stringWidth(ends) <= room)
    return [
      ...before,
      [last, distance && painted, tail && screen.paint('dim', tail)].filter(Boolean).join('  '),
    ];
  return [...change.lines, ...wrapWords(ends, room).map((line) => screen.paint('dim', cutStart(line, room)))];
}

/** The change in lines, and the width of the last one. */
function paintedChange(
  row: ChangeRow,
  plain: string,
  left: number,
  room: number,
  screen: Screen,
): { lines: string[]; width: number } {
  const { change, dim } = row;
  const paint = (line: string) => (dim ? screen.paint('dim', line) : line);
  if (!('a' in change)) {
    const lines = wrapWords(change.phrase, room).map((line) => cutText(line, room));
    return { lines: lines.map(paint), width: stringWidth(lines.at(-1) ?? '') };
  }
  if (stringWidth(plain) <= room) {
    if (dim) return { lines: [paint(plain)], width: stringWidth(plain) };
    const parts = splitChanged(change.a, change.b);
    const padding = ' '.repeat(Math.max(0, left - stringWidth(change.a)));
    const line = `${parts.common}${screen.paint(['bold', 'red'], parts.a)}${padding} → ${parts.common}${screen.paint(['bold', 'green'], parts.b)}`;
    return { lines: [line], width: stringWidth(plain) };
  }
  const [a, b] = differingParts(change.a, change.b, room - 2);
  const lines = [...brokenSide(a, '', room), ...brokenSide(b, '→ ', room)];
  return { lines: lines.map(paint), width: stringWidth(lines.at(-1) ?? '') };
}

function brokenSide(text: string, mark: string, room: number): string[] {
  return wrapWords(text, room - 2).map(
    (line, index) => (index === 0 ? mark : ' '.repeat(mark.length)) + cutText(line, room - 2),
  );
}

/** Long values without their common beginning, so that the difference stays visible when they are cut. */
function differingParts(a: string, b: string, room: number): [string, string] {
  const { common } = splitChanged(a, b);
  if (common.length < 12 || Math.max(stringWidth(a), stringWidth(b)) <= room) return [a, b];
  const shownLength = common.length - 6;
  return [`…${a.slice(shownLength)}`, `…${b.slice(shownLength)}`];
}

function cutStart(text: string, width: number): string {
  return stringWidth(text) <= width ? text : `…${text.slice(-(Math.floor(width) - 1))}`;
}
