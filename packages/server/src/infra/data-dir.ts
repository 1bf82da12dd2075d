// The data folder: made with access for its owner only, and found unwritable before anything else happens.

import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { StartupError } from './app-error.ts';

/** Makes the folder (mode 0700) unless it exists. Errors: StartupError when it cannot be made, read or written. */
export function prepareDataDir(dataDir: string): void {
  try {
    const made = mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (made === undefined && process.platform !== 'win32' && (statSync(dataDir).mode & 0o077) !== 0) {
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
