// A snapshot's variables as a file: for dotenv, a POSIX shell, PowerShell.

import { isVariableName } from '@envsnap/shared/catalogue/variables/code-variables';
import { checkoutMark } from '@envsnap/shared/text/places';
import { isMisleading } from '@envsnap/shared/text/visible';
import type { ComparableEnvironment } from '../model/model.ts';
import {
  exportableVariables,
  isShellName,
  misleading,
  remarkOn,
  variableLines,
} from './exportable-variables.ts';

/** Renders a dotenv file that Node.js (`--env-file`), the dotenv package, Docker Compose and a sourcing shell read
 * alike. Nothing in a value is expanded or run. Values that cannot be written so are commented out, with the reason. */
export function exportDotenv(environment: ComparableEnvironment, all = false): string {
  return textOf(environment, { all }, (name, value) => {
    if (!isShellName(name)) return remarkOn(name, 'a dotenv file cannot hold this name');
    const quoted = quoteDotenv(value);
    if (quoted === undefined) return remarkOn(name, 'its value cannot be written in a dotenv file');
    return `${name}=${quoted}`;
  });
}

/** Renders `export NAME='value'` lines, for `. FILE` or `eval`. */
export function exportShell(environment: ComparableEnvironment, all = false): string {
  return textOf(environment, { all, expandsHome: true }, (name, value) =>
    isShellName(name)
      ? `export ${name}=${shellValue(value)}`
      : remarkOn(name, 'a shell cannot set this name'),
  );
}

/** Renders `$env:NAME = 'value'` lines, for `. ./FILE.ps1` or `Invoke-Expression`. */
export function exportPowershell(environment: ComparableEnvironment, all = false): string {
  return textOf(environment, { all, expandsHome: true }, (name, value) => {
    if (!isVariableName(name)) return remarkOn(name, 'PowerShell cannot set this name');
    if (isMisleading(name)) return remarkOn(name, misleading);
    return `${powershellName(name)} = ${powershellValue(value)}`;
  });
}

function textOf(
  environment: ComparableEnvironment,
  options: Parameters<typeof exportableVariables>[1],
  lineOf: (name: string, value: string) => string,
): string {
  const lines = variableLines(exportableVariables(environment, options), lineOf);
  return lines.map((line) => `${line}\n`).join('');
}

/** Quotes a value so that all readers agree on it; undefined if that is impossible. Single quotes are literal for all
 * of them, except that one reader takes a backslash at the end for an escape. In double quotes, shells and Compose
 * expand `$`, and shells run text in backticks. No reader keeps a carriage return. */
export function quoteDotenv(value: string): string | undefined {
  if (/^[A-Za-z0-9_./:@%+,-]*$/.test(value)) return value;
  if (value.includes('\r')) return undefined;
  if (!value.includes("'")) return value.endsWith('\\') ? undefined : `'${value}'`;
  return /["$`\\!]/.test(value) ? undefined : `"${value}"`;
}

/** Replaces `~` (the home folder) and `<checkout>` (the work tree) with those of the file's reader. */
function shellValue(value: string): string {
  const [first = '', ...more] = value
    .split(checkoutMark)
    .map((part, index) => (index === 0 ? part : quotedPart(part)));
  const start =
    first === '~' || first.startsWith('~/') ? `"$HOME"${quotedPart(first.slice(1))}` : quotedPart(first);
  return [start, ...more].join('"$PWD"') || "''";
}

function quotedPart(text: string): string {
  return text === '' ? '' : quoteShell(text);
}

export function quoteShell(text: string): string {
  if (/^[A-Za-z0-9_./:@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Names with other characters than letters, digits and underscores are put in braces, in which a backtick escapes. */
function powershellName(name: string): string {
  return /^\w+$/.test(name) ? `$env:${name}` : `\${env:${name.replace(/[`{}]/g, '`$&')}}`;
}

/** Expands the home folder and work tree for the reader of the file; everything else is literal. */
function powershellValue(value: string): string {
  const parts = value.split(checkoutMark).map((part, index): string[] => {
    const isHome = index === 0 && /^~(?=[/\\]|$)/.test(part);
    const rest = powershellText(isHome ? part.slice(1) : part);
    return [...(isHome ? ['$HOME'] : []), ...(rest === "''" ? [] : [rest])];
  });
  const terms = parts.flatMap((part, index) => (index === 0 ? part : ['$PWD.Path', ...part]));
  const [first = "''"] = terms;
  if (terms.length <= 1) return first;
  return terms.map((term) => (term.startsWith("'") ? term : `[string](${term})`)).join(' + ');
}

/** Typographic quotation marks also end a literal in PowerShell, so each is doubled. */
function powershellText(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}
