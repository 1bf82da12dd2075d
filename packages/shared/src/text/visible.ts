// Data made harmless where it is shown: control characters and marks that reorder text become visible escapes.

// Control characters, and the marks that reorder or hide text in a terminal (bidirectional controls, zero-width).
const unsafe =
  /[\p{Cc}\u{2028}\u{2029}\u{061c}\u{200b}-\u{200f}\u{202a}-\u{202e}\u{2060}-\u{2069}\u{feff}]|\p{Cs}/gu;

// What the log of a CI job obeys: `::error::` where a line begins, `##[error]` anywhere.
const command = /(?<!\S):(?=:[a-z])|#(?=#\[)/g;

/**
 * Data made harmless for a terminal and for the log of a CI job: control characters, escape sequences, line breaks, marks
 * that reorder text and commands become visible escapes such as `\x1b`, `\u202e` or `\x3a:error::`.
 */
export function visible(text: string): string {
  return withoutCommands(text.replace(unsafe, escapeOf));
}

/** Text in which the log of a CI job finds nothing to obey. */
export function withoutCommands(text: string): string {
  return text.replace(command, escapeOf);
}

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  const code = character.charCodeAt(0);
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/** Data as one word of a command line that a person may copy into a shell: quoted where it needs to be. */
export function shellWord(text: string): string {
  const shown = visible(text);
  return /^[\w./:@%+=,~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** Line breaks and tabs, which are not a trick. */
const layout = /[\n\r\t]/g;

/**
 * Whether text holds control characters, marks that reorder or hide what stands there, or what the log of a CI job obeys wherever
 * the text stands in a line; line breaks and tabs do not count.
 */
export function isMisleading(text: string): boolean {
  return text.replace(layout, '').search(unsafe) >= 0 || /[\r\n][^\S\r\n]*::|##\[/.test(text);
}

/**
 * A JSON document that is harmless on a terminal and in an editor too: the control characters that JSON leaves bare,
 * the marks that reorder or hide text, and what the log of a CI job obeys, are escaped. `indent` 0 writes one line.
 */
export function jsonText(value: unknown, indent = 2): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(
    /[\u{7f}-\u{9f}\u{61c}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{2069}\u{feff}]|#(?=#\[)/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
