// All data for a terminal, a log, a comment, a page or an agent passes through here: invisible characters, and text that a CI
// service would execute, become visible escapes.

import { logCommands } from '../catalogue/log-commands.ts';

/**
 * Control characters, line and paragraph separators, halves of characters, characters without a glyph (tags, variation selectors,
 * fillers, soft hyphens, zero-width and bidirectional marks) and noncharacters.
 */
const hidden = String.raw`[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\p{Noncharacter_Code_Point}]`;

const commandsAt = (place: 'anywhere' | 'line-start') =>
  logCommands
    .filter((command) => command.place === place)
    .map(({ character }) => character)
    .join('|');
const anywhere = commandsAt('anywhere');
const lineStart = commandsAt('line-start');

// Text may be wrapped between any two words, so any word may begin a line.
const unsafe = new RegExp(`${hidden}|${anywhere}|(?<!\\S)(?:${lineStart})`, 'giu');
// Every line of a JSON document begins with a quotation mark, a bracket or a number.
const unsafeInJson = new RegExp(`(?!\\n)${hidden}|${anywhere}`, 'giu');
const hiddenInValue = new RegExp(`(?![\\n\\r\\t])${hidden}|${anywhere}`, 'iu');
const obeyedAtStart = new RegExp(`[\\r\\n][^\\S\\r\\n]*(?:${lineStart})`, 'iu');

/** Data as one line of text: ` ` stays, a line break is `\n`, an escape character `\x1b`, a tag `\u{e0041}`, a command `\x3a:error::`. */
export function visible(text: string): string {
  return text.replace(unsafe, escapeOf);
}

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  if (character === '\r') return '\\r';
  const digits = (character.codePointAt(0) ?? 0).toString(16);
  if (digits.length <= 2) return `\\x${digits.padStart(2, '0')}`;
  return digits.length <= 4 ? `\\u${digits.padStart(4, '0')}` : `\\u{${digits}}`;
}

/** Data as one word of a command line that a person may copy into a shell: quoted where it needs to be. */
export function shellWord(text: string): string {
  const shown = visible(text);
  return /^[\w./:@%+=,~-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}

/** A path of a repository as one word: neither an option, nor a home folder, nor an assignment. */
export function pathWord(path: string): string {
  return shellWord(/^[-~]|^\w+\+?=/.test(path) ? `./${path}` : path);
}

/** The same for git, which reads some characters as a pattern. */
export function gitPathWord(path: string): string {
  return /^:|[*?[\\]/.test(path) ? shellWord(`:(literal)${path}`) : pathWord(path);
}

/** Data in a sentence that people may paste into a shell: quoted if a shell would read more than words. */
export function wordsOnly(text: string): string {
  return /[$`;|&()'"!\n\r]|[<>]\s*[^=\d\s]/.test(text) ? shellWord(text) : text;
}

/**
 * Whether a value cannot be shown as it is: it hides or reorders text, or a CI service reads it. Line breaks and tabs do not
 * count.
 */
export function isMisleading(value: string): boolean {
  return hiddenInValue.test(value) || obeyedAtStart.test(value);
}

/** A JSON document with the same meaning, in which {@link visible} would find nothing. `indent` 0 writes one line. */
export function jsonText(value: unknown, indent = 2): string {
  return (JSON.stringify(value, null, indent) ?? 'null').replace(unsafeInJson, (character) =>
    Array.from({ length: character.length }, (_, place) => {
      const unit = character.charCodeAt(place);
      return `\\u${unit.toString(16).padStart(4, '0')}`;
    }).join(''),
  );
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What {@link escapeMarkup} changes: nothing in nearly all names and versions, and a test costs a third of a replacement. */
const unsafeInMarkup = new RegExp(`[&<>"']|${unsafe.source}`, 'iu');

/** Data as text or attribute value of XML or HTML. */
export function escapeMarkup(data: string): string {
  if (!unsafeInMarkup.test(data)) return data;
  return visible(data).replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
