// Reads a tool's versions in a line of output.

import type { Entry } from '../model/model.ts';

export function separates(line: string, { a, b }: Entry): boolean {
  if (a === null || b === null) return true;
  return [...line.matchAll(versionNumber)].some(([, number = '']) => {
    const numbers = numbersOf(number);
    return orderOf(numbersOf(a), numbers) !== orderOf(numbersOf(b), numbers);
  });
}
const versionNumber = /(?<![\w.])v?(\d{1,4}(?:\.\d{1,9}){0,4})/g;

/** Whether a line asks for a version of a tool: it mentions versions, or has one next to the tool. */
export function asksForVersion(line: string, tool: string): boolean {
  return (
    (ofVersions.test(line) && hasWord(line, tool)) ||
    (asks.test(line) && hasWord(line, tool, /^(?:\.?js)?[^a-z0-9]{0,5}v?\d/))
  );
}
const ofVersions = /^(?=.*\d).*\b(?:version|or newer|or higher|or later|or greater)/;
const asks = /\b(?:requires?\b|required|needs|unsupported|not supported|incompatible|minimum|at least)/;

/** Whether a word is in a line without a letter or digit next to it, and is not part of a file's or module's name:
 * `node.js` is Node.js, but `java.time` is not Java and `docker-entrypoint.sh` not Docker. */
export function hasWord(
  line: string,
  word: string,
  before = /^(?!\w|(?:-[\w-]{1,40})?\.[a-z])|^\.?(?:js|exe)\b/,
): boolean {
  for (let at = line.indexOf(word); at >= 0; at = line.indexOf(word, at + 1))
    if (!/[\w.]/.test(line[at - 1] ?? '') && before.test(line.slice(at + word.length))) return true;
  return false;
}

export function numbersOf(text: string): number[] {
  return (text.slice(0, 100).match(/\d+/g) ?? []).map(Number);
}

/** Negative if A is before B as far as B is given, positive if it is after it, otherwise 0. */
export function orderOf(a: readonly number[], b: readonly number[]): number {
  for (const [place, number] of b.entries()) {
    const own = a[place] ?? 0;
    if (own !== number) return own < number ? -1 : 1;
  }
  return 0;
}
