// A rule of the catalogue of failures: a text that programs print, and the entries of a comparison that it refers to.

import type { SectionName } from '@envsnap/shared/address';
import type { CauseFamily } from '@envsnap/shared/catalogue/cause-family';

/** Entries that a text refers to: a key of a section, or all members of a family; `*` at an end of a key stands for anything.
 * `package` is a package in a lock file or on disk, `tool` a tool that the project uses, the version of it that it declares,
 * or what comes with it. */
export type Target = `${SectionName | 'package' | 'tool'}:${string}` | `family:${CauseFamily}`;

/** Forms of a line: a date or time, a number with a decimal comma, a path with capitals. */
export type Form = 'date' | 'decimal comma' | 'capitals in a path';

export interface FailureRule {
  readonly has: readonly string[];
  readonly and?: readonly (readonly string[])[];
  readonly form?: Form;
  readonly names: readonly Target[];
  readonly hints?: readonly Target[];
  readonly older?: true;
  readonly foreign?: true;
  readonly report: string;
}

/** The rules of a table. `REPORT = NAMES ~ HINTS ! FORM, older or foreign`, with the report by its path on GitHub, goes on
 * with the next line behind a comma or `~`; below it stand the texts that a line has, with `;` between them and around blanks
 * at their ends, then behind `&` those of which it has one too. `#` begins a remark. */
export function rulesOf(table: string): FailureRule[] {
  const rules = table
    .replace(/^ *#.*\n/gm, '')
    .replace(/(?<=^ .*[,~])\n {4}(?=[a-z]+:)/gm, ' ')
    .trim();
  return rules.split(/\n {2}(?! )/).map((rule) => {
    const [head = '', ...lines] = rule.split('\n');
    const [, report, names, hints, flag] = /^(\S+)(?: = (.*?))?(?: ~ (.*?))?(?: ! (.*))?$/.exec(head) ?? [];
    const [has = [], ...and] = lines
      .map((line) => line.trim())
      .join(';')
      .split(/;?& /)
      .map((texts) => texts.split(';').filter(Boolean));
    const targets = (list = '') => list.split(', ').filter(Boolean) as Target[];
    return {
      has,
      and,
      names: targets(names),
      hints: targets(hints),
      report: `https://github.com/${report}`,
      ...(flag === 'older' || flag === 'foreign' ? { [flag]: true } : flag && { form: flag as Form }),
    };
  });
}

export const longestLine = 1_000;
