// Whose the files are that root makes: those of the folder's owner, so that a server without rights can go on with them.

import { fchownSync, lchownSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Gives what has just been made to the owner of the folder that it is in. Only root can and does; `descriptor` is that of the
 * open file, without it the path itself is changed, and no link is followed.
 */
export function giveToFolderOwner(made: string, descriptor?: number): void {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = statSync(path.dirname(path.resolve(made)));
  if (uid === 0) return;
  try {
    if (descriptor === undefined) lchownSync(made, uid, gid);
    else fchownSync(descriptor, uid, gid);
  } catch (error) {
    // Root of a container may lack the right; then nothing else could have been done.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}
