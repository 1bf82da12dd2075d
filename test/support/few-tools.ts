// Owns a folder for `PATH` with few tools. A capture starts every tool that it finds to get its version: dozens of processes on a
// developer's machine, which most tests do not need.

import { existsSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { inject } from 'vitest';

/** Node.js comes with the run. The others are tools that tests and their programs start, and a capture's basic tools. */
const names = [
  'sh',
  'env',
  'git',
  'true',
  'false',
  'sleep',
  'uname',
  'date',
  'mktemp',
  'cat',
  'head',
  'grep',
  'sed',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'chmod',
  'mkfifo',
];

/** A `PATH` of one folder, which is created at the first call in a run. */
export function fewTools(): string {
  const folder = path.join(inject('runFolder'), 'few-tools');
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(`${folder}-`);
  symlinkSync(process.execPath, path.join(made, 'node'));
  for (const name of names) {
    const tool = (process.env.PATH ?? '')
      .split(path.delimiter)
      .map((place) => path.join(place, name))
      .find((file) => path.isAbsolute(file) && existsSync(file));
    if (tool) symlinkSync(tool, path.join(made, name));
  }
  try {
    renameSync(made, folder);
  } catch {
    // Another worker was first.
    rmSync(made, { recursive: true });
  }
  return folder;
}
