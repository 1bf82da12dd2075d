// What a rule of the catalogue of failures is: a text that programs print, and the entries of a comparison that it speaks of.

import type { SectionName } from '@envsnap/shared/address';
import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';

/**
 * Entries that a text speaks of: a key of a section, or whatever is of a family; `*` at an end of a key stands for anything.
 * `package` is a package in a lock file or on disk, `tool` a tool that the project uses, the version of it
 * that it declares, or what comes with it.
 */
export type Target = `${SectionName | 'package' | 'tool'}:${string}` | `family:${CauseFamily}`;

/** What a line can look like: a date or time, a number with a decimal comma, a path with capitals. */
export type Form = 'date' | 'decimal comma' | 'capitals in a path';

/** One row: text, entries, and a public report of such a failure. */
export interface FailureRule {
  /** Texts in lower case, one of which a line has. */
  readonly has: readonly string[];
  /** And one of each of these lists. */
  readonly and?: readonly (readonly string[])[];
  readonly form?: Form;
  /** Entries that the text names. */
  readonly names: readonly Target[];
  /** Entries that are often behind it, and that the text does not name. */
  readonly hints?: readonly Target[];
  /** B has a version below the one that stands right behind the text. */
  readonly older?: true;
  /** The words are of another language than English: a side has that language. */
  readonly foreign?: true;
  readonly report: string;
}

/**
 * A rule as the catalogue writes it: lists of texts as one, with `;` between them, and a line's end behind it where they are many;
 * the report by its path on GitHub.
 */
export interface RuleRow extends Omit<FailureRule, 'has' | 'and' | 'report'> {
  readonly has: string;
  readonly and?: readonly string[];
  readonly report: string;
}

/** The rule of a row. */
export function ruleOf({ has, and, report, ...row }: RuleRow): FailureRule {
  const textsOf = (texts: string) => texts.split(/;(?:\n\s*)?/);
  return {
    ...row,
    has: textsOf(has),
    ...(and && { and: and.map(textsOf) }),
    report: `https://github.com/${report}`,
  };
}

/** Most characters of a line that are looked at. */
export const longestLine = 1_000;
