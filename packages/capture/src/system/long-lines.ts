// Lines too long to be a person's or a tool's: patterns are tried on lines, and cost more the longer a line is.

/** Longest line that counts, in characters. */
export const maxLineLength = 4096;

/** A text without its longer lines; line ends stay, so that numbers of lines do. */
export function withoutLongLines(text: string): string {
  if (text.length <= maxLineLength) return text;
  return text
    .split('\n')
    .map((line) => (line.length > maxLineLength ? '' : line))
    .join('\n');
}
