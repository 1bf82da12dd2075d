// Variables whose value makes a program load code, start a command or fetch code from elsewhere. The author of such a value
// decides what runs, so a command does not get a stranger's value without consent.

import { compileGlob } from '../../text/glob.ts';
import rows from './code-variables.json' with { type: 'json' };

/** Variables whose values have the same effect. Names may be patterns (`*`) and match in any case. */
interface CodeVariables {
  /** The effect of the value, after `it can`. */
  readonly does: string;
  readonly names: readonly string[];
  /** Names that match the patterns but have no such effect. */
  readonly except?: readonly string[];
  /** The variable holds options, and words of this expression in it are harmless. Absent: every value counts. */
  readonly harmless?: string;
}

/** Every row. A row too many does less harm than a missing one, whose variable would be applied like any other. */
export const codeVariables: readonly CodeVariables[] = rows;

/**
 * Whether a process can have a variable with this name. Programs get `NAME=VALUE`, so a name with `=` would set another
 * variable.
 */
export function isVariableName(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}

/** The effect of a variable's value: `load code into Node.js`. Undefined for an ordinary variable. */
export function codeRisk(spelled: string, value: string): string | undefined {
  // Windows compares capitals, and letters such as ſ change when capitalised.
  const name = spelled.toUpperCase();
  compiled ??= codeVariables.map((row) => ({
    ...row,
    names: testsOf(row.names),
    except: testsOf(row.except ?? []),
    harmless: row.harmless === undefined ? undefined : new RegExp(row.harmless),
  }));
  for (const row of compiled) {
    if (!row.names.some((test) => test(name)) || row.except.some((test) => test(name))) continue;
    const { harmless } = row;
    const words = value.split(/\s/).filter((word) => word !== '');
    if (harmless && words.every((word) => word.length <= longestWord && harmless.test(word))) continue;
    return row.does;
  }
  return undefined;
}

/** Longest option that is checked, in characters. */
const longestWord = 200;

type NameTest = (name: string) => boolean;
let compiled:
  | readonly {
      readonly does: string;
      readonly names: readonly NameTest[];
      readonly except: readonly NameTest[];
      readonly harmless: RegExp | undefined;
    }[]
  | undefined;

function testsOf(patterns: readonly string[]): NameTest[] {
  return patterns.map((name) => compileGlob(name, { syntax: 'names', ignoreCase: true }));
}
