// Quotes captured values for a POSIX shell, if they can be passed unchanged.

import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { isMisleading } from '@envsnap/shared/text/visible';

/** Nobody reads commands with longer values. */
const longestValue = 300;
/** Placeholders for paths on the captured machine, and for hosts that outside readers must not see. */
const placeholders = /<(?:checkout|address)>/;

/** A word for a POSIX shell; undefined for secrets, placeholders, and values with misleading characters. */
export function quoted(value: string): string | undefined {
  if (value.length > longestValue || isHiddenValue(value) || placeholders.test(value)) return undefined;
  if (isMisleading(value) || /[\r\n]/.test(value)) return undefined;
  // Captures write the home folder as `~`, which shells do not expand in quotes or inside a word.
  const parts = value.split(/(?<![^:=,])~(?=\/|$|:)/);
  return parts.map(word).join('"$HOME"') || "''";
}

/** The same for a separate word. One that begins with a dash would be an option; apt-get's `-o…` runs commands. */
export function quotedArgument(value: string): string | undefined {
  return value.startsWith('-') ? undefined : quoted(value);
}

function word(text: string): string {
  return /^[\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `export TZ=Europe/Berlin`; undefined if the value cannot be given. */
export function exportCommands(name: string, value: string | null | undefined): string[] {
  const word = value === null || value === undefined ? undefined : quoted(value);
  return word === undefined || !/^[A-Za-z_]\w*$/.test(name) ? [] : [`export ${name}=${word}`];
}
