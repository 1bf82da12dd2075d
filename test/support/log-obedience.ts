// What a CI service obeys in a log and what nobody can see, by rules that are written apart from those of the program.

import { logCommands } from '../../packages/shared/src/catalogue/log-commands.ts';

/** By the names of the table of services. */
export const obeyedBy: Readonly<Record<string, RegExp>> = {
  'GitHub Actions': /^\s*::[a-z][a-z-]*(?:\s[^\n]*?)?::/im,
  'GitHub Actions and Azure Pipelines, formatting': /##\[/,
  'Azure Pipelines': /##vso\[/i,
  TeamCity: /##teamcity\[/i,
  'GitLab CI': /section_(?:start|end):\d/i,
  Buildkite: /^[^\S\n]*(?:---|\+\+\+|~~~|\^\^\^)(?!\S)/m,
  'Travis CI': /travis_(?:fold|time):(?:start|end)/i,
  'Continua CI': /@@continua\[/i,
};

/** Ranges of Unicode's DerivedCoreProperties.txt, Default_Ignorable_Code_Point, and of control and separator characters. */
const hiddenRanges: readonly (readonly [first: number, last: number])[] = [
  [0x00, 0x09],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** The first and the last character of each range. */
export const hiddenCharacters = hiddenRanges.flat().map((code) => String.fromCodePoint(code));

/** What to plant: each character that hides or reorders text, and each command at the start of a line. */
export const planted = `\u001b]0;x\u0007${hiddenCharacters.slice(6).join('')}\n${logCommands.map(({ example }) => example).join('\n')}`;

/** What a text holds that is obeyed or cannot be seen, with what stands beside it; null where there is nothing. Line breaks aside. */
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
