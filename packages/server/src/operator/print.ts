// The output of operator's commands: lines for people, or one JSON document on standard output.

import { jsonText, visible } from '@envsnap/shared/text/visible';
import type { OperatorFlags } from './operator-session.ts';

/**
 * Prints a result: with `--json` as a document, else as lines. Names that callers chose cannot control the terminal.
 */
export function print(flags: OperatorFlags, result: unknown, lines: readonly string[]): void {
  process.stdout.write(flags.json ? `${jsonText(result)}\n` : `${lines.map(visible).join('\n')}\n`);
}

/** Prints a hint or a warning to standard error, in one line. */
export function warn(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Rows as lines of aligned columns; null is a dash. */
export function columns(cells: readonly (readonly (string | number | null)[])[]): string[] {
  const rows = cells.map((row) => row.map((cell) => visible(`${cell ?? '-'}`)));
  const widths: number[] = [];
  for (const row of rows) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
