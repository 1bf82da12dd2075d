// Reads files line by line, and refuses what no text format allows.

import { maxLineLength } from '../../system/long-lines.ts';
import { ParseProblem, positionAt } from '../parse-problem.ts';

/** Whether the file contains an unresolved merge conflict. */
export function hasConflictMarker(text: string): boolean {
  return text.startsWith('<<<<<<< ') || text.includes('\n<<<<<<< ');
}

/** Throws if the file contains an unresolved merge conflict. */
export function refuseConflicts(text: string): void {
  if (!hasConflictMarker(text)) return;
  const offset = text.startsWith('<<<<<<< ') ? 0 : text.indexOf('\n<<<<<<< ') + 1;
  throw new ParseProblem('it has unresolved merge conflict markers', positionAt(text, offset));
}

/** Throws if the text contains NUL characters: the file is not text, or was overwritten. */
export function refuseBinary(text: string): void {
  const offset = text.indexOf('\0');
  if (offset !== -1) throw new ParseProblem('it is not a text file', positionAt(text, offset));
}

/** Throws if a text has no line of its format, so that it is not taken for a list without packages. */
export function requireLine(text: string, line: RegExp): void {
  if (text.trim() !== '' && !line.test(text))
    throw new ParseProblem('none of its lines has the expected format');
}

/** Calls back for every line, without its end, with its number from 1. Throws on conflicts, NUL and very long lines. */
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

/** Removes one pair of quotes (single or double), if there is one. */
export function unquote(text: string): string {
  const first = text[0];
  return text.length >= 2 && (first === '"' || first === "'") && text.endsWith(first)
    ? text.slice(1, -1)
    : text;
}

/** Maximum number of brackets around a value. */
const maxNesting = 1000;

/** Throws if brackets are nested as in no real file: sections that readers look for may be further inside. */
export function refuseNesting(text: string): void {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    if (depth > maxNesting) throw new ParseProblem('it is nested too deeply');
  }
}

/** Maximum number of values in one file. The largest real lock files have a million; 4 million took 12 s and 800 MB. */
const maxValues = 2_000_000;

/** Throws if a text has more characters that may begin a value than any real file. A repeated `sign` counts twice. */
export function refuseTooManyValues(text: string, signs: string): void {
  // A shorter text cannot have that many.
  if (text.length * 2 <= maxValues) return;
  const counts = new Uint8Array(128);
  for (const sign of signs) counts[sign.charCodeAt(0)] = (counts[sign.charCodeAt(0)] ?? 0) + 1;
  let values = 0;
  for (let at = 0; at < text.length; at += 1) values += counts[text.charCodeAt(at)] ?? 0;
  if (values > maxValues) throw new ParseProblem(`it has more than ${maxValues} values`);
}
