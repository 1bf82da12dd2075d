// The catalogue of failures. A rule has texts that programs print, and the entries of a comparison that they point to.

import type { SectionName } from '@envsnap/shared/address';
import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';
import machines from './rules/machines.json' with { type: 'json' };
import programs from './rules/programs.json' with { type: 'json' };

/** Entries that a text points to: a key of a section, or all members of a family; `*` at the end of a key stands for
 * anything. `package` is a package in a lock file or on disk. `tool` is a tool that the project uses, its declared
 * version, or what it includes. */
export type Target = `${SectionName | 'package' | 'tool'}:${string}` | `family:${CauseFamily}`;

/** Forms of a line: a date or time, a number with a decimal comma, a path with capitals. */
export type Form = 'date' | 'decimal comma' | 'capitals in a path';

export interface FailureRule {
  /** The line contains one of these texts, in lower case. */
  readonly has: readonly string[];
  /** The line also contains a text of each of these lists. */
  readonly and?: readonly (readonly string[])[];
  readonly form?: Form;
  readonly names: readonly Target[];
  readonly hints?: readonly Target[];
  readonly older?: true;
  readonly foreign?: true;
  readonly report: string;
}

/** Lists that several rules use; a rule gives the name instead of the list. */
const lists: Readonly<Record<string, readonly string[]>> = {
  failing: 'fail;error;not ok;assert;panicked;____;✗;✘;●;×'.split(';'),
  differing: 'fail;error;not ok;assert;panicked;expected;differ;____;✗;✘'.split(';'),
};

type WrittenRule = Omit<FailureRule, 'and'> & { readonly and?: readonly (string | readonly string[])[] };

export const failureRules = ([...programs, ...machines] as readonly WrittenRule[]).map(
  ({ and = [], ...rule }): FailureRule => ({
    ...rule,
    and: and.map((list) => (typeof list === 'string' ? (lists[list] ?? []) : list)),
  }),
);

export const longestLine = 1_000;

/** The rules with a word that is in the text. Most words are ruled out quickly, by three letters in a row that the text lacks. */
export function rulesFor(text: string): FailureRule[] {
  const triples = new Uint8Array(1 << 18);
  for (let at = 2; at < text.length; at += 1) triples[tripleAt(text, at)] = 1;
  const mayHave = (word: string) => {
    for (let at = 2; at < word.length; at += 1) if (triples[tripleAt(word, at)] === 0) return false;
    return text.includes(word);
  };
  return failureRules.filter(({ has }) => has.some(mayHave));
}

function tripleAt(text: string, at: number): number {
  const code = (place: number) => text.charCodeAt(place);
  return (code(at - 2) * 4099 + code(at - 1) * 67 + code(at)) & 0x3ffff;
}

const shortestOfAnyPlace = 6;

/** Whether a rule's text is in a line. If it begins with a short word, a word of the line must begin with that word: `icu`
 * is in `icu-data` and `nodeIcu`, but not in `difficult`. */
export function isWordOf(line: string, text: string): boolean {
  const [first = ''] = /^[a-z]*/.exec(text) ?? [];
  if (first === '' || first.length >= shortestOfAnyPlace) return true;
  const small = line.toLowerCase();
  for (let at = small.indexOf(text); at >= 0; at = small.indexOf(text, at + 1)) {
    const before = line[at - 1] ?? '';
    if (!/[A-Za-z]/.test(before) || (/[a-z]/.test(before) && /[A-Z]/.test(line[at] ?? ''))) return true;
  }
  return false;
}
