// JSON files: parsing with the position of what is wrong, and safe looks into values of unknown shape.

import { ParseProblem, positionAt } from './parse-problem.ts';

/** A JSON object; look names up with `field`, which sees own properties only. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses JSON; throws `ParseProblem` with the position of the first mistake. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const offset = firstMistake(text);
    if (offset >= text.trimEnd().length) {
      const what = text.trim() === '' ? 'the file is empty' : 'the file ends in the middle (truncated JSON)';
      throw new ParseProblem(what, positionAt(text, text.trimEnd().length));
    }
    throw new ParseProblem(
      hasConflictMarker(text) ? 'it has unresolved merge conflict markers' : 'it is not valid JSON',
      positionAt(text, offset),
    );
  }
}

/** Parses a JSON file whose top level must be an object. */
export function parseJsonObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isObject(value)) throw new ParseProblem('its top level is not a JSON object', { line: 1, column: 1 });
  return value;
}

/** An object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An own property, whatever it is called. */
export function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as JsonObject)[name]
    : undefined;
}

/** An own property that is a string. */
export function textField(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** Entries of an own property that is an object; none when it is absent. */
export function entriesOf(value: unknown, name: string): [string, unknown][] {
  const found = field(value, name);
  return isObject(found) ? Object.entries(found) : [];
}

/** Items of an own property that is an array; none when it is absent. */
export function itemsOf(value: unknown, name: string): readonly unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/** Whether version control left both sides of a conflict in the file. */
export function hasConflictMarker(text: string): boolean {
  return text.startsWith('<<<<<<< ') || text.includes('\n<<<<<<< ');
}

const literal = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

type Expectation = 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'colon' | 'next';

/**
 * The offset of the first character that JSON does not allow, or the text's length when it ends too early. Run only
 * when `JSON.parse` has failed, whose messages quote the file and leave the position out for some mistakes.
 */
function firstMistake(text: string): number {
  const closers: string[] = [];
  let at = 0;
  let expects = 'value' as Expectation;
  for (;;) {
    while (at < text.length && ' \t\r\n'.includes(text[at] as string)) at += 1;
    const character = text[at];
    if (character === undefined) return at;
    if (expects === 'next') {
      const closer = closers.at(-1);
      if (closer === undefined) return at;
      if (character === ',') expects = closer === '}' ? 'key' : 'value';
      else if (character === closer) closers.pop();
      else return at;
      at += 1;
    } else if (expects === 'colon') {
      if (character !== ':') return at;
      expects = 'value';
      at += 1;
    } else if ((expects === 'keyOrEnd' || expects === 'valueOrEnd') && character === closers.at(-1)) {
      closers.pop();
      expects = 'next';
      at += 1;
    } else if (character === '"') {
      const end = endOfString(text, at + 1);
      if (text[end] !== '"') return end;
      expects = expects === 'key' || expects === 'keyOrEnd' ? 'colon' : 'next';
      at = end + 1;
    } else if (expects === 'key' || expects === 'keyOrEnd') {
      return at;
    } else if (character === '{' || character === '[') {
      closers.push(character === '{' ? '}' : ']');
      expects = character === '{' ? 'keyOrEnd' : 'valueOrEnd';
      at += 1;
    } else {
      literal.lastIndex = at;
      if (!literal.test(text)) return at;
      at = literal.lastIndex;
      expects = 'next';
    }
  }
}

/** The offset of the closing quote, of a character that a string must not hold, or the text's length. */
function endOfString(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (at < text.length && text[at] !== '"' && text[at] !== '\\' && text.charCodeAt(at) >= 32) at += 1;
    if (text[at] !== '\\') return at;
    if (text[at + 1] === 'u') {
      if (!/^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))) return at;
      at += 6;
    } else if ('"\\/bfnrt'.includes(text[at + 1] ?? 'x')) at += 2;
    else return at;
  }
}
