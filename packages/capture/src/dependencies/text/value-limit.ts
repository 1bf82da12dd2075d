// Texts of so many values that what a parser makes of them fills the memory: some hundred bytes each.

import { ParseProblem } from '../parse-problem.ts';

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
