// Bun: bun.lock (JSON with comments and trailing commas) and bun.lockb (binary, not read).

import { entriesOf, field, isObject, parseJsonObject } from './json.ts';
import { splitDescriptor } from './npm.ts';
import { createPackageList, type PackageList } from './package-list.ts';
import { ParseProblem } from './parse-problem.ts';

/** bun.lock. Workspace members are left out; the lock speaks for their folders. */
export function parseBunLock(text: string): PackageList {
  const lock = parseJsonObject(toPlainJson(text));
  if (!isObject(field(lock, 'packages')) && !isObject(field(lock, 'workspaces'))) {
    throw new ParseProblem('it has neither `packages` nor `workspaces`');
  }
  const list = createPackageList();
  for (const [key, entry] of entriesOf(lock, 'packages')) {
    const identity: unknown = Array.isArray(entry) ? entry[0] : undefined;
    const descriptor = typeof identity === 'string' ? splitDescriptor(identity) : undefined;
    if (!descriptor) throw new ParseProblem(`its package ${key} has no name and version`);
    const { name, range } = descriptor;
    if (!range.startsWith('workspace:') && !range.startsWith('root:')) list.add(name, range);
  }
  const workspaces = field(lock, 'workspaces');
  if (isObject(workspaces)) list.members = Object.keys(workspaces).map((folder) => folder || '.');
  return list;
}

/** bun.lockb says nothing without Bun itself. */
export function parseBunBinaryLock(): PackageList {
  throw new ParseProblem(
    'it is binary and can only be read by Bun; `bun install --save-text-lockfile` writes bun.lock, which is read',
  );
}

/** Blanks comments and trailing commas out, so that positions stay what they are. Linear in the text's length. */
export function toPlainJson(text: string): string {
  /** Ranges to blank, in order of their start. */
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

/** The offset of a string's closing quote, or of the line's end when it has none. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += text[at] === '\\' ? 2 : 1;
  return at;
}
