// Gives files that root creates to the folder's owner, so that an unprivileged server can use them.

import { fchownSync, lchownSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Changes the owner of a new file to that of its folder. Only root can and does. `descriptor` is that of the open file; without it
 * the path itself is changed, and no link is followed.
 */
export function giveToFolderOwner(made: string, descriptor?: number): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(path.dirname(path.resolve(made)));
  if (uid === 0) return;
  try {
    if (descriptor === undefined) lchownSync(made, uid, gid);
    else fchownSync(descriptor, uid, gid);
  } catch (error) {
    // Root in a container may lack the right. Then nobody else could have written the file either.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
