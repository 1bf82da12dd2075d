// Parses JSON files, and reports the position of a mistake.

import { isPlainObject } from '@envsnap/shared/plain-object';
import { ParseProblem, positionAt } from '../parse-problem.ts';
import { hasConflictMarker, refuseTooManyValues } from './lines.ts';

/** A JSON object; look into it with the functions of shared's `plain-object.ts`. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** JSON that `JSON.parse` refuses. Finding the position needs another parser, which `located` loads. */
export class JsonProblem extends ParseProblem {
  readonly #text: string;

  constructor(text: string) {
    super(hasConflictMarker(text) ? 'it has unresolved merge conflict markers' : 'it is not valid JSON');
    this.#text = text;
  }

  /** The same error with the position of the first mistake. */
  async located(): Promise<ParseProblem> {
    const text = this.#text;
    const end = text.trimEnd().length;
    if (end === 0) return new ParseProblem('the file is empty', { line: 1, column: 1 });
    const { visit } = await import('jsonc-parser');
    let offset: number | undefined;
    try {
      const onError = (_: unknown, at: number) => {
        offset ??= at;
      };
      visit(text, { onError }, { disallowComments: true });
      if (offset !== undefined) offset = endOfSoundString(text, offset);
    } catch {
      return new ParseProblem('it is nested too deeply');
    }
    if (offset === undefined) return new ParseProblem(this.message);
    const message = offset >= end ? 'the file ends in the middle (truncated JSON)' : this.message;
    return new ParseProblem(message, positionAt(text, Math.min(offset, end)));
  }
}

/** In a string, the position of the mistake (a bad escape, a line break). */
function endOfSoundString(text: string, offset: number): number {
  const sound = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*/iuy;
  sound.lastIndex = offset;
  return sound.test(text) && text[sound.lastIndex] !== '"' ? sound.lastIndex : offset;
}

/** Parses a JSON file whose top level must be an object. Throws `ParseProblem`. */
export function parseJsonObject(text: string): JsonObject {
  refuseTooManyValues(text, '[{,');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new JsonProblem(text);
  }
  if (!isPlainObject(value))
    throw new ParseProblem('its top level is not a JSON object', { line: 1, column: 1 });
  return value;
}

/** The same for JSON with comments and trailing commas. */
export function parseJsoncObject(text: string): JsonObject {
  return parseJsonObject(withoutJsonExtras(text));
}

/** Replaces comments and trailing commas with spaces, so that positions stay the same. Linear in the text's length. */
export function withoutJsonExtras(text: string): string {
  /** Ranges to replace, in order of their start. */
  const ranges: [start: number, end: number][] = [];
  /** Index in `ranges` of the last comma, while nothing but space and comments has followed it. */
  let comma = -1;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] as string;
    const next = text[at + 1];
    if (character === '/' && (next === '/' || next === '*')) {
      const mark = next === '/' ? '\n' : '*/';
      const found = text.indexOf(mark, at + 2);
      const end = found === -1 ? text.length : found + mark.length;
      ranges.push([at, end]);
      at = end - 1;
    } else if (character === ',') {
      comma = ranges.push([at, at]) - 1;
    } else if (character === '}' || character === ']') {
      const range = ranges[comma];
      if (range) range[1] = range[0] + 1;
      comma = -1;
    } else if (character === '"') {
      at = endOfString(text, at);
      comma = -1;
    } else if (character.trim() !== '') comma = -1;
  }
  let plain = '';
  let copied = 0;
  for (const [start, end] of ranges) {
    if (start === end) continue;
    plain += text.slice(copied, start) + text.slice(start, end).replace(/[^\n]/g, ' ');
    copied = end;
  }
  return plain + text.slice(copied);
}

/** The offset of a string's closing quote, or of the line's end if there is none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}
