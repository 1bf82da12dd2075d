// The data folder: made with access for its owner only, and found unwritable before anything else happens.

import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { StartupError } from './app-error.ts';

/** Makes the folder (mode 0700) unless it exists. Errors: StartupError when it cannot be made, read or written. */
export function prepareDataDir(dataDir: string): void {
  try {
    const made = makeFolder(path.resolve(dataDir));
    if (!made && process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0) {
      chmodSync(dataDir, 0o700);
    }
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    throw new StartupError(
      `cannot use the data folder ${dataDir} (${reason}); choose another with --data-dir or ENVSNAP_DATA_DIR`,
      { cause: error },
    );
  }
}

/** Makes a folder and those above it; Node.js's own recursion never ends below /proc. False when it exists. */
function makeFolder(folder: string): boolean {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return false;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
  return true;
}
