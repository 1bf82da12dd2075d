// Owns the data folder: the embedded database, the stored files and the generated master key live in it.

import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { StartupError } from './app-error.ts';

/** Makes the folder (mode 0700) when it is absent and checks that it can be written. Errors: StartupError. */
export function prepareDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!statSync(dataDir).isDirectory()) throw new Error('it is not a folder');
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartupError(
      `cannot use the data folder ${dataDir} (ENVSNAP_DATA_DIR, --data-dir): ${reason}`,
      {
        cause: error,
      },
    );
  }
}
