// Sorts a snapshot's variables for an export: what can be set elsewhere, and what cannot or should not be, with why.

import { isPersonalVariable } from '../causes/variable-weight.ts';
import { isHiddenValue } from '../model/compare-variables.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { isListVariable } from '../model/ordered-list.ts';

/** A variable that an export leaves out, and the reason as part of a sentence. */
export interface WithheldVariable {
  readonly name: string;
  readonly reason: string;
}

export interface ExportableVariables {
  /** Name and value, sorted by name. */
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly withheld: readonly WithheldVariable[];
}

/**
 * Secrets, of which a snapshot holds a fingerprint or a placeholder and never the value, are withheld; so are lists
 * of folders and what belongs to a person, a terminal or a desktop, unless `all` is set.
 */
export function exportableVariables(environment: ComparableEnvironment, all = false): ExportableVariables {
  const variables = environment.envVars ?? {};
  const names = Object.keys(variables).sort();
  const valueless = names.length > 0 && names.every((name) => variables[name] === '');
  const set: (readonly [string, string])[] = [];
  const withheld: WithheldVariable[] = [];
  for (const name of names) {
    const value = variables[name] as string;
    if (isHiddenValue(value))
      withheld.push({ name, reason: 'a secret, which the snapshot does not hold: set it yourself' });
    else if (valueless) withheld.push({ name, reason: 'captured without its value' });
    else if (!all && isListVariable(name))
      withheld.push({ name, reason: 'a list of folders of that machine' });
    else if (!all && isPersonalVariable(name))
      withheld.push({ name, reason: 'of the person or session, not of the project' });
    else set.push([name, value]);
  }
  return { set, withheld };
}

/** True for names that every shell can set. */
export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

/** One line of comment text: line breaks and control characters cannot end the comment. */
export function commentText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a comment
  return text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, ' ');
}
