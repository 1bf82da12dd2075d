// Breaks text between words.

import stringWidth from 'fast-string-width';

// Importing node:util loads all of it, which takes 6 ms at the start.
const { stripVTControlCharacters } = process.getBuiltinModule('node:util');

/** Breaks a line between words so that it fits; a word that is wider stays whole, and an indent is kept on every line. */
export function wrapWords(text: string, width: number): string[] {
  if (!Number.isFinite(width)) return [text];
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  // Measured word by word: a line is measured once, however many words it has.
  let lineWidth = 0;
  for (const word of text.slice(indent.length).split(' ')) {
    const wordWidth = stringWidth(word);
    if (line !== '' && indent.length + lineWidth + 1 + wordWidth > width) {
      lines.push(indent + line);
      [line, lineWidth] = [word, wordWidth];
    } else {
      lineWidth += (line === '' ? 0 : 1) + wordWidth;
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, indent + line];
}

/**
 * Breaks lines of a finished text that are wider than a terminal, between words. Continuations are aligned with the last column
 * of the line, so that names and values stay apart. Styles are kept; a word that is wider stays whole.
 */
export function wrapLines(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  return text
    .split('\n')
    .map((line) => (stringWidth(line) <= width ? line : brokenLine(line, width)))
    .join('\n');
}

function brokenLine(line: string, width: number): string {
  const hang = ' '.repeat(indentOf(line, width));
  const lines: string[] = [];
  let [current = '', ...words] = line.split(' ');
  let currentWidth = stringWidth(current);
  let isBlank = current === '';
  for (const word of words) {
    const wordWidth = stringWidth(word);
    // Spaces that align columns are empty words.
    if (word !== '' && !isBlank && currentWidth + 1 + wordWidth > width) {
      lines.push(current.trimEnd());
      // A path that fits in its own line is not broken for the sake of a column.
      const isTooWide = hang.length > 2 && hang.length + wordWidth > width;
      current = (isTooWide ? '  ' : hang) + word;
      currentWidth = (isTooWide ? 2 : hang.length) + wordWidth;
    } else {
      current += ` ${word}`;
      currentWidth += 1 + wordWidth;
    }
    isBlank &&= word === '';
  }
  return [...lines, current.trimEnd()].join('\n');
}

/** Deepest indent of an item of a list; a deeper one continues a column. */
const listIndent = 4;

/** Where the last column of a line begins, if that leaves room to write in; else its indent and two more. */
function indentOf(line: string, width: number): number {
  const plain = stripVTControlCharacters(line);
  const indent = /^ */.exec(plain)?.[0].length ?? 0;
  const columns = [...plain.slice(0, Math.floor(width / 2)).matchAll(/\S {2,}(?=\S)/g)];
  const last = columns.at(-1);
  if (last) return last.index + last[0].length;
  return indent === 0 || indent > listIndent ? indent : indent + 2;
}
