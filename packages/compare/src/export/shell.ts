// A snapshot's variables as commands for any POSIX shell, to be read with `. FILE` or `eval`.

import { checkoutMark } from '@envsnap/shared/text/places';
import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables, isShellName } from './exportable-variables.ts';

export function exportShell(environment: ComparableEnvironment, all = false): string {
  const { set, withheld } = exportableVariables(environment, { all, expandsHome: true });
  const lines = set.map(([name, value]) =>
    isShellName(name)
      ? `export ${name}=${shellValue(value)}`
      : `# ${commentText(name)}: a shell cannot set this name`,
  );
  const left = withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`);
  return [...lines, ...left].map((line) => `${line}\n`).join('');
}

/** A captured value writes the home folder `~` and the work tree `<checkout>`: here they become those of whoever reads the
 * file. */
function shellValue(value: string): string {
  const [first = '', ...more] = value
    .split(checkoutMark)
    .map((part, index) => (index === 0 ? part : quoted(part)));
  const start = first === '~' || first.startsWith('~/') ? `"$HOME"${quoted(first.slice(1))}` : quoted(first);
  return [start, ...more].join('"$PWD"') || "''";
}

function quoted(text: string): string {
  return text === '' ? '' : quoteShell(text);
}

/** Quotes text for a POSIX shell: nothing in it is expanded. */
export function quoteShell(text: string): string {
  if (/^[A-Za-z0-9_./:@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
