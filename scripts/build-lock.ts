// One build at a time: a lock file that names its holder's process.

import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Runs the action while holding the lock file; waits for another holder, and takes over from one that has ended. */
export function withLock(lock: string, action: () => void): void {
  mkdirSync(path.dirname(lock), { recursive: true });
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      if (isAbandoned(lock)) rmSync(lock, { recursive: true, force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
  }
  try {
    action();
  } finally {
    rmSync(lock, { force: true });
  }
}

function isAbandoned(lock: string): boolean {
  const status = statSync(lock, { throwIfNoEntry: false });
  if (status === undefined || status.isDirectory()) return status !== undefined;
  let owner = Number.NaN;
  try {
    owner = Number.parseInt(readFileSync(lock, 'utf8'), 10);
  } catch {
    return false;
  }
  // The file is empty between its creation and its writing.
  if (Number.isNaN(owner)) return Date.now() - status.mtimeMs > 5000;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
