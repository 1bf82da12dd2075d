// Sorts a snapshot's variables for an export: what can be set elsewhere, and what cannot or should not be, with why.

import { isListVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { checkoutMark } from '@envsnap/shared/text/places';
import { isMisleading, visible } from '@envsnap/shared/text/visible';
import { isDotenvVariable } from '../environment/dotenv-variable.ts';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';

export interface WithheldVariable {
  readonly name: string;
  readonly reason: string;
}

export interface ExportableVariables {
  readonly set: readonly (readonly [name: string, value: string])[];
  readonly withheld: readonly WithheldVariable[];
}

export interface ExportOptions {
  /** Lists of folders and what is not a setting of the project too. Default false. */
  readonly all?: boolean;
  /** Whether the format expands `~` and `<checkout>`; where it does not, values with them are withheld. Default false. */
  readonly expandsHome?: boolean;
}

/** Classes of variables that are a person's or a machine's, whoever mentions them. */
const someonesOwn = new Set(
  `identity personal session terminal desktop editor shell version-manager`.split(/\s+/),
);

/** Secrets, of which a snapshot holds a fingerprint or a placeholder and never the value, are withheld; so are lists of
 * folders, what belongs to a person, a terminal or a desktop, and what the project does not use, unless `all` is set. */
export function exportableVariables(
  environment: ComparableEnvironment,
  { all = false, expandsHome = false }: ExportOptions = {},
): ExportableVariables {
  const needs = projectNeeds(environmentOf(environment));
  const variables = environment.envVars ?? {};
  const names = Object.keys(variables).sort();
  const valueless = names.length > 0 && names.every((name) => variables[name] === '');
  const set: (readonly [string, string])[] = [];
  const withheld: WithheldVariable[] = [];
  for (const name of names) {
    const value = variables[name] as string;
    if (isDotenvVariable(name))
      withheld.push({ name, reason: 'set by a file of the project: copy that file' });
    else if (isHiddenValue(value))
      withheld.push({ name, reason: 'a secret, which the snapshot does not hold: set it yourself' });
    else if (isMisleading(value)) withheld.push({ name, reason: misleading });
    else if (valueless) withheld.push({ name, reason: 'captured without its value' });
    else if (!all && isListVariable(name, environment.os))
      withheld.push({ name, reason: 'a list of folders of that machine' });
    else if (!all && isSomeonesOwn(name))
      withheld.push({ name, reason: 'of the person or session, not of the project' });
    else if (!expandsHome && /^~(?:$|\/)|[:=,]~\//.test(value))
      withheld.push({ name, reason: 'holds the home folder of that machine: set it yourself' });
    else if (!expandsHome && value.includes(checkoutMark))
      withheld.push({ name, reason: 'holds the folder of the checkout on that machine: set it yourself' });
    else set.push([name, value]);
  }
  return { set, withheld };

  function isSomeonesOwn(name: string): boolean {
    const { row, contextOf } = judgeVariable(name, needs);
    return row !== undefined && (contextOf !== null || someonesOwn.has(row.class));
  }
}

/** Why a name or value that {@link isMisleading} is left out. */
export const misleading = 'holds characters that hide or reorder text, or commands to the log of a CI job';

/** True for names that every shell can set. */
export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

export function commentText(text: string): string {
  return visible(text.replace(/\s/g, ' '));
}
