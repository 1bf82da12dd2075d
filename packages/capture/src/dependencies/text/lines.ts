// Formats of lines: walking over them, and what all text formats refuse.

import { maxLineLength } from '../../system/long-lines.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';

/** Whether version control left both sides of a conflict in the file. */
export function hasConflictMarker(text: string): boolean {
  return text.startsWith('<<<<<<< ') || text.includes('\n<<<<<<< ');
}

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

/** Most values of one file. The largest lock files that people write have a million. */
const maxValues = 4_000_000;

/** Throws where a text has more signs that may begin a value than any file needs. One that is given twice counts twice. */
export function refuseTooManyValues(text: string, signs: string): void {
  // Fewer characters hold fewer signs.
  if (text.length * 2 <= maxValues) return;
  const counts = new Uint8Array(128);
  for (const sign of signs) counts[sign.charCodeAt(0)] = (counts[sign.charCodeAt(0)] ?? 0) + 1;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) values += counts[text.charCodeAt(at)] ?? 0;
  if (values > maxValues) throw new ParseProblem(`it has more than ${maxValues} values`);
}
