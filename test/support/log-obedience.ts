// Finds text that a CI service obeys in a log, or that is invisible, by rules written independently of the program's.

import { logCommands } from '../../packages/shared/src/catalogue/log-commands.ts';
import { readTestData } from './test-data.ts';
import { words } from './words.ts';

const { obeyed } = readTestData<{ obeyed: Record<string, string> }>(import.meta);

/** By the names of the table of services. */
export const obeyedBy: Readonly<Record<string, RegExp>> = Object.fromEntries(
  Object.entries(obeyed).map(([service, pattern]) => [service, new RegExp(pattern, 'im')]),
);

/** Ranges of Unicode's DerivedCoreProperties.txt, Default_Ignorable_Code_Point, and of control and separator characters. */
const hiddenRanges = words`
  0-9 b-1f 7f-9f ad-ad 34f-34f 61c-61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e
  2060-206f 3164-3164 fe00-fe0f feff-feff ffa0-ffa0 fff0-fffb 1bca0-1bca3 1d173-1d17a e0000-e0fff`.map(
  (range) => range.split('-').map((code) => Number.parseInt(code, 16)) as [first: number, last: number],
);

/** The first and the last character of each range. */
export const hiddenCharacters = hiddenRanges.flat().map((code) => String.fromCodePoint(code));

/** Text to plant: each character that hides or reorders text, and each command at the start of a line. */
export const planted = `\u001b]0;x\u0007${hiddenCharacters.slice(6).join('')}\n${logCommands.map(({ example }) => example).join('\n')}`;

/** The part of a text that acts as a command or is invisible, with its context; null if there is none, line breaks aside. */
export function findObeyed(text: string): string | null {
  const near = (index: number) => JSON.stringify(text.slice(Math.max(0, index - 60), index + 30));
  for (const [service, pattern] of Object.entries(obeyedBy)) {
    const found = pattern.exec(text);
    if (found) return `${service}: ${near(found.index)}`;
  }
  let place = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (hiddenRanges.some(([first, last]) => code >= first && code <= last))
      return `U+${code.toString(16).toUpperCase()}: ${near(place)}`;
    place += character.length;
  }
  return null;
}
