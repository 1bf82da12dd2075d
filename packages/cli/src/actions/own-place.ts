// Whether only root or this account can have put files into a folder.

import { statSync } from 'node:fs';
import path from 'node:path';

/** The permission of everybody to write, and the bit that protects files from other accounts. */
const [othersWrite, sticky] = [0o002, 0o1000];

/**
 * Whether a folder and those above it belong to this account or to root, and nobody else can put files there. False for a
 * relative path, which means another place in every folder, and if owners cannot be determined (Windows).
 */
export function isOwnPlace(folder: string): boolean {
  const own = process.getuid?.();
  if (own === undefined || !path.isAbsolute(folder)) return false;
  let isLast = true;
  for (let place = path.resolve(folder); ; place = path.dirname(place)) {
    const status = statSync(place, { throwIfNoEntry: false });
    if (!status || (status.uid !== own && status.uid !== 0)) return false;
    if ((status.mode & othersWrite) !== 0 && (isLast || (status.mode & sticky) === 0)) return false;
    if (place === path.dirname(place)) return true;
    isLast = false;
  }
}
