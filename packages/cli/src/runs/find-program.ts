// Finds programs in the folders of PATH and of a project, and reads small facts from files.

import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of a project that hold the programs of its packages. */
export const programFolders = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'vendor/bin'];

/** The absolute folders of PATH: a relative one leads into whatever folder the command runs in. */
export function foldersOnPath(): string[] {
  return (process.env.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
}

/** The program of this name in the first folder of PATH that has it. */
export function findOnPath(name: string): string | undefined {
  const endings = process.platform === 'win32' ? (process.env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : [''];
  return foldersOnPath()
    .flatMap((folder) => endings.map((ending) => path.join(folder, name + ending)))
    .find(isExecutable);
}

/** The text of a file of the system; empty if it is gone or belongs to another account. */
export function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The names in a folder; none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The nearest folder, from this one upwards, that has a `.git`. */
export function workTreeOf(folder: string): string | undefined {
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    if (existsSync(path.join(place, '.git'))) return place;
    if (place === path.dirname(place)) return undefined;
  }
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
