// The name of a run that nobody named: its command.

import { judgeValue } from '@envsnap/capture/workspace/variables/secret-values';

/** Longest name that is made of a command, in characters. */
const longestName = 100;

/** The words of a command, at most 100 characters. They end before the first secret: a name is stored and shown. */
export function runNameOf(command: readonly string[]): string {
  let name = '';
  for (const word of command.flatMap((each) => each.split(/\s+/)).filter((each) => each !== '')) {
    const longer = name === '' ? word : `${name} ${word}`;
    if (judgeValue(word, false) ?? judgeValue(longer, false)) return cut(`${name} [redacted]`.trim());
    if (longer.length > longestName) return cut(longer);
    name = longer;
  }
  return name;
}

function cut(name: string): string {
  return name.slice(0, longestName).toWellFormed();
}
