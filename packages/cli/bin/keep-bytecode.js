// Where the program keeps its bytecode, and Node.js that of the bundle: among the user's caches.

import { cacheFolder, homeFolder } from './cache-folder.js';
import { makeFolder } from './make-folder.js';

const { existsSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');

/** Lets Node.js keep the bytecode of the bundle. */
export function keepBytecode() {
  const folder = bytecodeFolder();
  if (folder) enableCompileCache(folder);
}

/**
 * The folder for bytecode; undefined where a repository or the working folder holds the cache: V8 runs bytecode as it finds it, and
 * CI jobs that keep their caches in the checkout would run what a commit left there.
 */
export function bytecodeFolder() {
  try {
    const folder = path.join(cacheFolder(), 'code');
    for (let above = folder; above !== path.dirname(above); above = path.dirname(above)) {
      if (existsSync(path.join(above, '.git'))) return undefined;
      if (above === process.cwd() && above !== homeFolder()) return undefined;
    }
    makeFolder(folder);
    return folder;
  } catch {
    // The working folder was deleted, or there is no place for a cache: this start compiles everything itself.
    return undefined;
  }
}
