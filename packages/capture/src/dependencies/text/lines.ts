// Formats of lines: walking over them, and what all such formats share.

import { maxLineLength } from '../../system/long-lines.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';
import { hasConflictMarker } from './json.ts';
import { refuseTooManyValues } from './value-limit.ts';

/** Throws when version control left both sides of a conflict in the file. */
export function refuseConflicts(text: string): void {
  if (!hasConflictMarker(text)) return;
  const offset = text.startsWith('<<<<<<< ') ? 0 : text.indexOf('\n<<<<<<< ') + 1;
  throw new ParseProblem('it has unresolved merge conflict markers', positionAt(text, offset));
}

/** Throws when a text holds NUL characters: it is not a text file, or was overwritten. */
export function refuseBinary(text: string): void {
  const offset = text.indexOf('\0');
  if (offset !== -1) throw new ParseProblem('it is not a text file', positionAt(text, offset));
}

/** Calls back for every line (LF or CRLF, without its end) with its 1-based number. Throws on conflicts, NUL and endless lines. */
export function forEachLine(text: string, visit: (line: string, number: number) => void): void {
  refuseConflicts(text);
  refuseBinary(text);
  refuseTooManyValues(text, '\n');
  let number = 0;
  for (let start = 0; start < text.length; ) {
    let end = text.indexOf('\n', start);
    if (end === -1) end = text.length;
    number += 1;
    if (end - start > maxLineLength)
      throw new ParseProblem(`a line has more than ${maxLineLength} characters`, { line: number });
    visit(text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end), number);
    start = end + 1;
  }
}

/** Takes one pair of quotes (single or double) off, if it is there. */
export function unquote(text: string): string {
  const first = text[0];
  return text.length >= 2 && (first === '"' || first === "'") && text.endsWith(first)
    ? text.slice(1, -1)
    : text;
}
