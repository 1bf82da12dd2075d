// Sorts a snapshot's variables for an export: those that can be set elsewhere, and those that cannot or should not, with the reason.

import { isListVariable } from '@envsnap/shared/catalogue/variables/variable-catalogue';
import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { checkoutMark } from '@envsnap/shared/text/places';
import { isMisleading, visible } from '@envsnap/shared/text/visible';
import { isDotenvVariable } from '../environment/dotenv-variable.ts';
import { environmentOf } from '../environment/environment.ts';
import type { ComparableEnvironment } from '../model/model.ts';
import { projectNeeds } from '../relevance/project-needs.ts';
import { judgeVariable } from '../relevance/variable-relevance.ts';

export interface ExportOptions {
  readonly all?: boolean;
  /** Whether the format expands `~` and `<checkout>`; if not, values with them are withheld. Default false. */
  readonly expandsHome?: boolean;
}

/** Classes of variables that belong to a person or a machine, even if the project mentions them. */
const someonesOwn = new Set(
  `identity personal session terminal desktop editor shell version-manager`.split(/\s+/),
);

/** Withholds secrets (a snapshot has only a fingerprint or a placeholder), lists of folders, variables of a person, a
 * terminal or a desktop and, unless `all` is set, variables that the project does not use. */
export function exportableVariables(
  environment: ComparableEnvironment,
  { all = false, expandsHome = false }: ExportOptions = {},
) {
  const needs = projectNeeds(environmentOf(environment));
  const variables = Object.entries(environment.envVars ?? {}).sort(([x], [y]) => (x < y ? -1 : 1));
  const valueless = variables.every(([, value]) => value === '');
  const isSomeonesOwn = (name: string) => {
    const { row, contextOf } = judgeVariable(name, needs);
    return row !== undefined && (contextOf !== null || someonesOwn.has(row.class));
  };
  const whyWithheld = (name: string, value: string): string | undefined => {
    if (isDotenvVariable(name)) return 'set by a file of the project: copy that file';
    if (isHiddenValue(value)) return 'a secret, which the snapshot does not hold: set it yourself';
    if (isMisleading(value)) return misleading;
    if (valueless) return 'captured without its value';
    if (!all && isListVariable(name, environment.os)) return 'a list of folders of that machine';
    if (!all && isSomeonesOwn(name)) return 'of the person or session, not of the project';
    if (expandsHome) return undefined;
    if (/^~(?:$|\/)|[:=,]~\//.test(value)) return 'holds the home folder of that machine: set it yourself';
    const isOfCheckout = value.includes(checkoutMark);
    return isOfCheckout ? 'holds the folder of the checkout on that machine: set it yourself' : undefined;
  };
  const judged = variables.map(([name, value]) => ({ name, value, reason: whyWithheld(name, value) }));
  return {
    set: judged.flatMap(({ name, value, reason }) => (reason === undefined ? [[name, value] as const] : [])),
    withheld: judged.flatMap(({ name, reason }) => (reason === undefined ? [] : [{ name, reason }])),
  };
}

export function variableLines(
  { set, withheld }: ReturnType<typeof exportableVariables>,
  lineOf: (name: string, value: string) => string,
): string[] {
  return [
    ...set.map(([name, value]) => lineOf(name, value)),
    ...withheld.map(({ name, reason }) => remarkOn(name, reason)),
  ];
}

export function remarkOn(name: string, reason: string): string {
  return `# ${commentText(name)}: ${reason}`;
}

/** Why a name or value that {@link isMisleading} is left out. */
export const misleading = 'holds characters that hide or reorder text, or commands to the log of a CI job';

export function isShellName(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

export function commentText(text: string): string {
  return visible(text.replace(/\s/g, ' '));
}
