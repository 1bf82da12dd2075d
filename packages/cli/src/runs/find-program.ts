// Where programs lie: the folders of PATH, and those of a project.

import { accessSync, constants } from 'node:fs';
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

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
