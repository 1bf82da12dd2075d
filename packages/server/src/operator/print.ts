// How operator's commands answer: lines for people, or one JSON document on standard output.

import type { OperatorFlags } from './operator-session.ts';

/** Prints a result: with `--json` as a document, else as lines. */
export function print(flags: OperatorFlags, result: unknown, lines: readonly string[]): void {
  process.stdout.write(flags.json ? `${JSON.stringify(result, null, 2)}\n` : `${lines.join('\n')}\n`);
}

/** Prints a hint or a warning to standard error. */
export function warn(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Rows as lines of aligned columns. */
export function columns(rows: readonly (readonly string[])[]): string[] {
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

/** `1 file`, `2 files`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
