// Removes lines that are longer than people and tools write, because patterns cost more on longer lines.

/** Longest line that is kept, in characters. */
export const maxLineLength = 4096;

/** A text without its longer lines; line endings stay, so line numbers do not change. */
export function withoutLongLines(text: string): string {
  if (!hasLongLine(text)) return text;
  return text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? '' : line))
    .join('\n');
}

/** Searches without splitting the text: nearly no text has such a line, and readers call this once for each pattern. */
function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > maxLineLength; ) {
    const end = text.indexOf('\n', start);
    if (end < 0 || end - start > maxLineLength) return true;
    start = end + 1;
  }
  return false;
}
