// The data folder: created with access for its owner only, and checked before anything else happens.

import { accessSync, constants, lstatSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from './app-error.ts';
import { giveToFolderOwner } from './ownership.ts';

/** Creates the folder (mode 0700) unless it exists. Errors: StartupError if it cannot be used, or everybody may write to it. */
export function prepareDataDir(dataDir: string): void {
  try {
    makeFolder(path.resolve(dataDir));
    if (modeOf(dataDir) & 0o002) throw new Error('everybody may write to it');
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new StartupError(
      `cannot use the data folder ${dataDir} (${reason}); choose another with --data-dir or ENVSNAP_DATA_DIR`,
      { cause: error },
    );
  }
}

/** Entries of the folder that do not belong to its owner, such as files that root has left there. */
export function listForeignFiles(dataDir: string): string[] {
  const { uid } = statSync(dataDir);
  return readdirSync(dataDir).filter(
    (name) => lstatSync(path.join(dataDir, name), { throwIfNoEntry: false })?.uid !== uid,
  );
}

export function isOpenToOthers(dataDir: string): boolean {
  return (modeOf(dataDir) & 0o077) !== 0;
}

export async function freeBytesOf(dataDir: string): Promise<number> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize;
}

/** Windows has no such modes; there everything belongs to the owner. */
function modeOf(folder: string): number {
  return process.platform === 'win32' ? 0o700 : statSync(folder).mode;
}

/** Makes a folder and those above it. The `recursive` option of Node.js never ends below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
    giveToFolderOwner(folder);
  } catch (error) {
    // Another server that starts at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(folder).isDirectory()) throw error;
  }
}
