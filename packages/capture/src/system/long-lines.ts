// Lines too long to be a person's or a tool's: patterns are tried on lines, and cost more the longer a line is.

/** Longest line that counts, in characters. */
export const maxLineLength = 4096;

/** A text without its longer lines; line endings stay, so line numbers do not change. */
export function withoutLongLines(text: string): string {
  if (!hasLongLine(text)) return text;
  return text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? '' : line))
    .join('\n');
}

/** Looks without taking the text apart: nearly every text has no such line, and readers ask once for each of their patterns. */
function hasLongLine(text: string): boolean {
  for (let start = 0; text.length - start > maxLineLength; ) {
    const end = text.indexOf('\n', start);
    if (end < 0 || end - start > maxLineLength) return true;
    start = end + 1;
  }
  return false;
}
