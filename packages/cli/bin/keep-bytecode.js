// Lets Node.js keep the bytecode of the bundle among the user's caches.

import { existsSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import path from 'node:path';
import { cacheFolder, homeFolder } from '../plain/cache-folder.js';
import { makeFolder } from '../plain/make-folder.js';

/**
 * Keeps bytecode, unless the cache is in a repository or the working folder: V8 runs bytecode unchecked, and CI jobs with caches
 * in the checkout would run what a commit placed there. Nor if others can write to the folder: with `sudo`, root has the
 * caller's home folder.
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
    // The working folder was deleted, or the user has no home: this start compiles everything.
  }
}
