// A table of values by machine that marks the odd one out.

import type { MatrixRow } from '@envsnap/compare/workspace';
import { counted } from '@envsnap/shared/text/size';
import { shellWord, visible } from '@envsnap/shared/text/visible';
import stringWidth from 'fast-string-width';
import type { Matrix } from '../../documents/machine-documents.ts';
import type { Screen } from '../../terminal/terminal.ts';
import { cutText } from '../layout/table.ts';

export interface MatrixOptions {
  /** Leaves out rows that are the same on every machine. */
  readonly onlyDifferent: boolean;
  /** Shows context too. */
  readonly all: boolean;
}

const gap = '  ';
/** Widest column of a machine on a terminal, and the narrowest that all machines side by side are worth. */
const widestColumn = 24;
const narrowestColumn = 14;

/**
 * Renders one row a value, one column a machine. A value that differs from the majority is marked `*`; where no value
 * has a majority, the row is marked `≠`. On a terminal too narrow for all machines, they follow in further blocks.
 */
export function renderMatrix(matrix: Matrix, screen: Screen, options: MatrixOptions): string {
  const rows = matrix.rows.filter(
    (row) => (options.all || !row.context) && !(options.onlyDifferent && row.equal),
  );
  if (rows.length === 0) return `${summary(matrix, options)}\n`;
  const keyWidth = Math.max(...rows.map((row) => stringWidth(visible(row.key))));
  const available = screen.columns - keyWidth - 2;
  const share = Math.floor(available / matrix.machines.length) - gap.length;
  const widest = Math.max(narrowestColumn, Math.min(widestColumn, share));
  const columns = matrix.machines.map((machine, index) => {
    const widths = rows.map((row) => stringWidth(cellText(row, index)));
    const natural = Math.max(stringWidth(visible(machine.machineName)), ...widths);
    return screen.interactive ? Math.min(natural, widest) : natural;
  });
  const blocks = splitColumns(columns, available).map((block) => {
    const header = block.map((index) =>
      padded(matrix.machines[index]?.machineName ?? '', columns[index] ?? 0),
    );
    const lines = rows.map((row) => rowLine(row, block, columns, keyWidth, screen));
    return [
      screen.paint('bold', `${' '.repeat(keyWidth + 2)}${gap}${header.join(gap)}`.trimEnd()),
      ...lines,
    ].join('\n');
  });
  return `${blocks.join('\n\n')}\n\n${summary(matrix, options)}\n`;
}

function rowLine(
  row: MatrixRow,
  block: readonly number[],
  columns: readonly number[],
  keyWidth: number,
  screen: Screen,
) {
  const sign = row.equal ? ' ' : row.majority === undefined ? '≠' : '~';
  const key = padded(row.key, keyWidth);
  const cells = block.map((index) => {
    const text = padded(cellText(row, index), columns[index] ?? 0);
    if (row.odd.includes(index)) return screen.paint(['bold', 'red'], text);
    if (row.equal || row.values[index] === null) return screen.paint('dim', text);
    return row.majority === undefined ? screen.paint('yellow', text) : text;
  });
  const start = row.equal ? screen.paint('dim', `${sign} ${key}`) : `${screen.paint('yellow', sign)} ${key}`;
  return `${start}${gap}${cells.join(gap)}`.trimEnd();
}

function cellText(row: MatrixRow, index: number): string {
  if (row.unknown.includes(index)) return '?';
  const value = row.values[index];
  const text = value === null || value === undefined ? '–' : visible(value);
  return row.odd.includes(index) ? `${text} *` : text;
}

function padded(text: string, width: number): string {
  const cut = cutText(visible(text), width);
  return cut + ' '.repeat(Math.max(0, width - stringWidth(cut)));
}

/** Groups columns so that each group fits into the width; a group holds at least one. */
function splitColumns(columns: readonly number[], available: number): number[][] {
  const blocks: number[][] = [];
  let used = 0;
  for (const [index, width] of columns.entries()) {
    const needed = width + gap.length;
    const block = blocks.at(-1);
    if (!block || used + needed > available) {
      blocks.push([index]);
      used = needed;
    } else {
      block.push(index);
      used += needed;
    }
  }
  return blocks;
}

function summary(matrix: Matrix, options: MatrixOptions): string {
  const shown = matrix.rows.filter((row) => options.all || !row.context);
  const hidden = matrix.rows.filter((row) => !row.equal).length - shown.filter((row) => !row.equal).length;
  const differing = shown.filter((row) => !row.equal).length;
  const equal = shown.length - differing;
  const machines = counted(matrix.machines.length, 'machine');
  if (matrix.machines.length === 1)
    return `${machines}: nothing to compare it with. envsnap capture on another machine adds one.`;
  const context =
    hidden === 0
      ? ''
      : `\n${counted(hidden, 'difference')} not shown: runtimes that no project asks for, and facts that are seldom a cause; --all shows them.`;
  if (differing === 0) return `${machines}, ${counted(equal, 'value')}, all equal.${context}`;
  const odd = new Map<string, number>();
  for (const row of shown) {
    for (const index of row.odd) {
      const name = matrix.machines[index]?.machineName ?? '';
      odd.set(name, (odd.get(name) ?? 0) + 1);
    }
  }
  const [worst] = [...odd].sort((x, y) => y[1] - x[1]);
  const most =
    worst && matrix.machines.length > 2
      ? ` ${visible(worst[0])} is the odd one out in ${worst[1]} of them.`
      : '';
  const rest =
    equal === 0
      ? ''
      : options.onlyDifferent
        ? `, ${counted(equal, 'equal value')} not shown`
        : `, ${equal} equal`;
  const [first, second] = matrix.machines;
  const next = worst ? `latest:${worst[0]}` : `latest:${second?.machineName}`;
  const other = matrix.machines.find((machine) => machine.machineName !== worst?.[0]) ?? first;
  return `${machines}: ${counted(differing, 'value')} differ${differing === 1 ? 's' : ''}${rest}.${most}${context}\nNext: envsnap compare ${shellWord(`latest:${other?.machineName ?? ''}`)} ${shellWord(next)}`;
}
