// A snapshot's variables as commands for any POSIX shell, to be read with `. FILE` or `eval`.

import type { ComparableEnvironment } from '../model/model.ts';
import { commentText, exportableVariables, isShellName } from './exportable-variables.ts';

/** Renders `export NAME='value'` lines; secrets and what a shell cannot hold are commented out with the reason. */
export function exportShell(environment: ComparableEnvironment, all = false): string {
  const { set, withheld } = exportableVariables(environment, { all, expandsHome: true });
  const lines = set.map(([name, value]) =>
    isShellName(name)
      ? `export ${name}=${shellValue(value)}`
      : `# ${commentText(name)}: no name that a shell can set`,
  );
  const left = withheld.map(({ name, reason }) => `# ${commentText(name)}: ${reason}`);
  return [...lines, ...left].map((line) => `${line}\n`).join('');
}

/** A captured value writes the home folder `~`: here it becomes the home folder of whoever reads the file. */
function shellValue(value: string): string {
  if (value === '~') return '"$HOME"';
  return value.startsWith('~/') ? `"$HOME"${quoteShell(value.slice(1))}` : quoteShell(value);
}

/** Quotes text for a POSIX shell: nothing in it is expanded. */
export function quoteShell(text: string): string {
  if (/^[A-Za-z0-9_./:@%+,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
