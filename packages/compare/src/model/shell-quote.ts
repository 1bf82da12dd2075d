// Quotes captured values for a POSIX shell. A value that would not arrive there unchanged has no quoted form.

import { isHiddenValue } from '@envsnap/shared/opaque-value';
import { isMisleading } from '@envsnap/shared/text/visible';

/** Longer values make commands that nobody reads. */
const longestValue = 300;
/** Placeholders for places on the captured machine, and for hosts that readers outside the project must not see. */
const placeholders = /<(?:checkout|address)>/;

/** A word for a POSIX shell; undefined for values that are secrets, hold placeholders or characters that mislead. */
export function quoted(value: string): string | undefined {
  if (value.length > longestValue || isHiddenValue(value) || placeholders.test(value)) return undefined;
  if (isMisleading(value) || /[\r\n]/.test(value)) return undefined;
  // Captures write the home folder as `~`, which no shell expands in quotes or in the middle of a word.
  const parts = value.split(/(?<![^:=,])~(?=\/|$|:)/);
  return parts.map(word).join('"$HOME"') || "''";
}

/**
 * The same for a separate word: one that begins with a dash would be an option, as `-o…` of apt-get is, which runs
 * commands.
 */
export function quotedArgument(value: string): string | undefined {
  return value.startsWith('-') ? undefined : quoted(value);
}

function word(text: string): string {
  return /^[\w./:@%+=,-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** `export TZ=Europe/Berlin`; none where the value cannot be given. */
export function exportCommands(name: string, value: string | null | undefined): string[] {
  const word = value === null || value === undefined ? undefined : quoted(value);
  return word === undefined || !/^[A-Za-z_]\w*$/.test(name) ? [] : [`export ${name}=${word}`];
}
