// Keeps blobs as files in one folder: written under another name, flushed, then renamed, so that a blob is complete or absent.

import { constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { giveToFolderOwner } from '../infra/ownership.ts';
import {
  BlobMissingError,
  type FileStore,
  isBlobKey,
  requireBlobKey,
  type StoredBlob,
} from './file-store.ts';

/** Folder of the blobs within the data folder. */
export const blobFolder = 'files';

const partialSuffix = '.part';
const readBytes = 64 * 1024;
/** Chunks in transit from the network through the cipher to the disk. */
const writeBytes = 256 * 1024;

/** Opens the store in `folder`, which is made (0700) when absent. Blobs are files of mode 0600. */
export async function openDiskFileStore(folder: string): Promise<FileStore> {
  if ((await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined) giveToFolderOwner(folder);
  const pathOf = (key: string) => path.join(folder, requireBlobKey(key));

  return {
    location: folder,
    putBytes: writeBytes,

    async put(key, source) {
      const target = pathOf(key);
      const partial = `${target}${partialSuffix}`;
      const handle = await open(partial, 'wx', 0o600);
      giveToFolderOwner(partial, handle.fd);
      try {
        await pipeline(source, handle.createWriteStream({ flush: true }));
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
      await rename(partial, target);
      await syncFolder(folder);
    },

    async open(key, span = { start: 0 }) {
      try {
        const handle = await open(pathOf(key), 'r');
        return handle.createReadStream({ highWaterMark: readBytes, ...span });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        throw new BlobMissingError(`${folder} has no file ${key}`, { cause: error });
      }
    },

    async remove(key) {
      const target = pathOf(key);
      await rm(`${target}${partialSuffix}`, { force: true });
      await rm(target, { force: true });
    },

    async *list(): AsyncGenerator<StoredBlob> {
      for (const name of await readdir(folder)) {
        const key = name.endsWith(partialSuffix) ? name.slice(0, -partialSuffix.length) : name;
        if (!isBlobKey(key)) continue;
        const details = await stat(path.join(folder, name)).catch(() => undefined);
        if (details?.isFile()) yield { key, sizeBytes: details.size };
      }
    },

    async check() {
      await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    },
  };
}

/** Flushes new names to the disk; Windows cannot open folders and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
