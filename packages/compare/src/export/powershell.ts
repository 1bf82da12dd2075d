// A snapshot's variables as commands for PowerShell, to be read with `. ./FILE.ps1` or `Invoke-Expression`.

import { isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';
import { checkoutMark } from '@envsnap/shared/text/places';
import { isMisleading } from '@envsnap/shared/text/visible';
import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables, misleading } from './exportable-variables.ts';

export function exportPowershell(environment: ComparableEnvironment, all = false): string {
  const { set, withheld } = exportableVariables(environment, { all, expandsHome: true });
  const lines = set.map(([name, value]) =>
    isMisleading(name) || !isVariableName(name)
      ? `# ${commentText(name)}: ${isVariableName(name) ? misleading : 'PowerShell cannot set this name'}`
      : `${variable(name)} = ${expression(value)}`,
  );
  const left = withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`);
  return [...lines, ...left].map((line) => `${line}\n`).join('');
}

/** Names with other characters than letters, digits and underscores stand in braces, where a backtick escapes. */
function variable(name: string): string {
  return /^\w+$/.test(name) ? `$env:${name}` : `\${env:${name.replace(/[`{}]/g, '`$&')}}`;
}

/** The home folder and work tree become those of whoever reads the file; everything else is literal. */
function expression(value: string): string {
  const parts = value.split(checkoutMark).map((part, index): string[] => {
    const isHome = index === 0 && /^~(?=[/\\]|$)/.test(part);
    const rest = literal(isHome ? part.slice(1) : part);
    return [...(isHome ? ['$HOME'] : []), ...(rest === "''" ? [] : [rest])];
  });
  const terms = parts.flatMap((part, index) => (index === 0 ? part : ['$PWD.Path', ...part]));
  const [first = "''"] = terms;
  if (terms.length <= 1) return first;
  return terms.map((term) => (term.startsWith("'") ? term : `[string](${term})`)).join(' + ');
}

/** PowerShell ends a literal at typographic quotation marks too; each is written twice. */
function literal(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}
