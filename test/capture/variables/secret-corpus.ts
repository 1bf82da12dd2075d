// Realistic variables, each with whether its value may leave the machine. Values are made up. A line of a file has a name and a
// value, with `\n` for the end of a line. Every second line was set aside before the rules were tuned: only the others are used
// to adjust the rules, which must hold for both.

import { readFileSync } from 'node:fs';

/** Name and value. */
export type CorpusRow = readonly [name: string, value: string];

export const secretRows = readRows('secret-samples.tsv');
export const plainRows = readRows('ordinary-samples.tsv');

function readRows(file: string): readonly CorpusRow[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => {
    const [name = '', value = ''] = line.split('\t');
    return [name, value.replaceAll('\\n', '\n')];
  });
}
