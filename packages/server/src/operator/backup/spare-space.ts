// The room that a backup leaves on its disk: a server may have its data there, and must be able to go on writing.

import { statfs } from 'node:fs/promises';
import { OperatorError } from '../operator-error.ts';
import { chunkBytes } from './archive-format.ts';

/** A backup never takes the last 64 MiB of a disk, or the last twentieth of a small one. */
const spareBytes = 64 * 1024 * 1024;
const spareShare = 0.05;

/** Errors: OperatorError when a file of this size does not fit into the folder and leave some room. */
export async function requireSpace(folder: string, sizeBytes: number): Promise<void> {
  const available = await availableBytes(folder);
  if (sizeBytes <= available) return;
  throw new OperatorError(
    `the backup needs more than ${megabytes(sizeBytes)} in ${folder}, and ${megabytes(Math.max(0, available))} can be taken there: ` +
      'free some space, or name a folder on another disk',
  );
}

/** What passes on its way to a file in the folder. Throws ENOSPC before the disk is full. */
export async function* leavingSpare(folder: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unchecked = chunkBytes;
  for await (const chunk of source) {
    unchecked += chunk.length;
    if (unchecked >= chunkBytes) {
      unchecked = 0;
      if ((await availableBytes(folder)) < chunk.length) {
        throw Object.assign(new Error('no space is left'), { code: 'ENOSPC' });
      }
    }
    yield chunk;
  }
}

async function availableBytes(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  // Some network file systems do not know.
  if (blocks === 0) return Number.POSITIVE_INFINITY;
  return bavail * bsize - Math.min(spareBytes, blocks * bsize * spareShare);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}
