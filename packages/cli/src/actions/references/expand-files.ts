// Expands file patterns that the shell left alone: `*` and `?` within a name, `**` for folders.

import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { compileGlob } from '@envsnap/shared/text/glob';

const mostFiles = 10_000;

function isFilePattern(text: string): boolean {
  return /[*?]/.test(text);
}

/** Whether a path leads to something other than a folder: a file, a pipe, a device. */
export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** The files that a pattern names, sorted; a text that is not a pattern is the file's name. */
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
  const fits = compileGlob(part, { syntax: 'names' });
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => (last ? !entry.isDirectory() : entry.isDirectory() || entry.isSymbolicLink()))
    .filter((entry) => fits(entry.name) && (!entry.name.startsWith('.') || part.startsWith('.')))
    .map((entry) => path.join(folder, entry.name));
}

async function foldersBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  const below = await Promise.all(folders.map((entry) => foldersBelow(path.join(folder, entry.name))));
  return [folder, ...below.flat()];
}
