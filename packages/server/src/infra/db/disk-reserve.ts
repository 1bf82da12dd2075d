// A file that takes room on the database's disk for as long as there is some. Once the disk is full it is removed, and what deletes
// has the room: without it, nothing could be deleted any more, because a deletion writes too.

import { randomFillSync } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { giveToFolderOwner } from '../ownership.ts';

/** Of a large disk. */
const mostBytes = 16 * 1024 * 1024;
/** A small disk gives an eighth of its room; less than this would be too little for a deletion. */
const leastBytes = 1024 * 1024;
/** Pages of the write-ahead log may all have to be appended to the database before anything is deleted: half of the room. */
const bytesOfPage = 2 * 4096;

export type DiskReserve = ReturnType<typeof createDiskReserve>;

/** The reserve beside a database file. Where it is not kept, it may still be given up: commands run beside a server that keeps it. */
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

    /** Makes room; false where there is no reserve. */
    giveUp(): boolean {
      if (!existsSync(file)) return false;
      rmSync(file, { force: true });
      return true;
    },

    /** Takes room for the reserve, where it is to be kept, is not there, and there is enough. */
    keep(): void {
      if (!isKept || existsSync(file) || freeBytes() < 2 * bytes) return;
      try {
        const handle = openSync(file, 'wx', 0o600);
        giveToFolderOwner(file, handle);
        // Disks that compress would keep no room for zeros.
        writeSync(handle, randomFillSync(Buffer.allocUnsafe(bytes)));
        closeSync(handle);
      } catch {
        rmSync(file, { force: true });
      }
    },
  };
}
