// Expands file patterns that the shell left alone: `*`, `?` within a folder's name or a file's, `**` for folders.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/** Most files that a pattern may name. */
const mostFiles = 10_000;

/** Whether a text asks for files by a pattern. */
export function isFilePattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** The files that a pattern names, sorted; a text without one names itself. */
export async function expandFiles(pattern: string): Promise<string[]> {
  if (!isFilePattern(pattern)) return [pattern];
  const parts = pattern.split(/[/\\]+/);
  const absolute = path.isAbsolute(pattern);
  let found = [absolute ? path.parse(pattern).root : '.'];
  for (const [place, part] of parts.entries()) {
    if (part === '' || part === '.') continue;
    const last = place === parts.length - 1;
    found = (await Promise.all(found.map((folder) => step(folder, part, last)))).flat();
    if (found.length > mostFiles) found.length = mostFiles;
  }
  return [...new Set(found)].sort();
}

async function step(folder: string, part: string, last: boolean): Promise<string[]> {
  if (part === '**') return foldersBelow(folder);
  if (!isFilePattern(part)) {
    const file = path.join(folder, part);
    const status = await stat(file).catch(() => undefined);
    return status ? [file] : [];
  }
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => (last ? !entry.isDirectory() : entry.isDirectory() || entry.isSymbolicLink()))
    .filter((entry) => matches(part, entry.name))
    .map((entry) => path.join(folder, entry.name));
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const below = await Promise.all(folders.map((entry) => foldersBelow(path.join(folder, entry.name))));
  return [folder, ...below.flat()];
}

/** Whether a name fits; in time that grows with the product of both lengths. A leading dot must be written. */
function matches(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) return false;
  let reached = new Set([0]);
  for (const character of pattern) {
    const next = new Set<number>();
    for (const place of reached) {
      if (character === '*') for (let end = place; end <= name.length; end += 1) next.add(end);
      else if (place < name.length && (character === '?' || character === name[place])) next.add(place + 1);
    }
    reached = next;
  }
  return reached.has(name.length);
}
