// A file that reserves room on the database's disk. Once the disk is full, the file is removed and deletions get its room.
// Without it nothing could be deleted, because a deletion writes too.

import { randomFillSync } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { giveToFolderOwner } from '../ownership.ts';

/** On a large disk. */
const mostBytes = 16 * 1024 * 1024;
/** On a small disk, an eighth of its room; less than this would be too little for a deletion. */
const leastBytes = 1024 * 1024;
/** Half of the room is for the write-ahead log, all of which may have to go to the database before anything is deleted. */
const bytesOfPage = 2 * 4096;

export type DiskReserve = ReturnType<typeof createDiskReserve>;

/** The reserve beside a database file. A command can give up the one that a server beside it keeps. */
export function createDiskReserve(databaseFile: string, keeps: boolean) {
  const folder = path.dirname(databaseFile);
  const file = path.join(folder, 'reserve');
  const { blocks, bsize } = statfsSync(folder);
  const bytes = Math.min(Math.floor((blocks * bsize) / 8), mostBytes);
  const isKept = keeps && bytes >= leastBytes;
  const freeBytes = () => statfsSync(folder).bavail * bsize;

  return {
    freeBytes,
    /** Pages of the write-ahead log that it has room for. */
    logPages: Math.max(bytes, leastBytes) / bytesOfPage,
    /** The room that must be there before the database may grow again: for the reserve, and for what comes. */
    neededBytes: 2 * bytes,

    isGivenUp: () => isKept && !existsSync(file),

    /** Gives up the reserve; false if there is none. */
    giveUp(): boolean {
      if (!existsSync(file)) return false;
      rmSync(file, { force: true });
      return true;
    },

    /** Creates the reserve if it is to be kept, does not exist, and fits. */
    keep(): void {
      if (!isKept || existsSync(file) || freeBytes() < 2 * bytes) return;
      try {
        const handle = openSync(file, 'wx', 0o600);
        giveToFolderOwner(file, handle);
        // Random bytes, because a disk that compresses would keep no room for zeros. The same ones again and again, because
        // making all of them takes longer than the rest of a start; no disk compresses across so many.
        const block = randomFillSync(Buffer.allocUnsafe(leastBytes));
        for (let left = bytes; left > 0; left -= leastBytes)
          writeSync(handle, block, 0, Math.min(left, leastBytes));
        closeSync(handle);
      } catch {
        rmSync(file, { force: true });
      }
    },
  };
}
