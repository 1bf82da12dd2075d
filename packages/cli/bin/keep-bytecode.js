// Lets Node.js keep the bytecode of the bundle among the user's caches.

import { existsSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { cacheFolder, homeFolder } from './cache-folder.js';
import { makeFolder } from './make-folder.js';

/**
 * Keeps bytecode, unless a repository or the working folder holds the cache: V8 runs bytecode as it finds it, and CI jobs
 * that keep their caches in the checkout would run what a commit left there. Nor where others can write: `sudo` leaves the
 * home folder of whoever called it to root.
 */
export function keepBytecode() {
  try {
    const folder = path.join(cacheFolder(), 'code');
    for (let above = folder; above !== path.dirname(above); above = path.dirname(above)) {
      if (existsSync(path.join(above, '.git'))) return;
      if (above === process.cwd() && above !== homeFolder()) return;
    }
    makeFolder(folder);
    const { uid, mode } = statSync(folder);
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return;
    enableCompileCache(folder);
  } catch {
    // The working folder was deleted, or the user has no home: this start compiles everything itself.
  }
}
