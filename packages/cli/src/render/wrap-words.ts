// Breaks text between words.

import stringWidth from 'fast-string-width';

/** Breaks a line between words so that it fits; a word that is wider stays whole, and an indent is kept on every line. */
export function wrapWords(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.slice(indent.length).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(indent + longer) > width && line !== '') {
      lines.push(indent + line);
      line = word;
    } else line = longer;
  }
  return [...lines, indent + line];
}
