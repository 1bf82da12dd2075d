// Stores and reads the sealed bytes of files. Nothing here runs in a transaction, because transfers may take long.

import { createHash } from 'node:crypto';
import { AppError } from '../infra/app-error.ts';
import type { DataKeys, SealPlace } from '../infra/crypto/data-keys.ts';
import type { Database } from '../infra/db/database.ts';
import type { IdGenerator } from '../infra/ids.ts';
import { enterUpload, extendUpload, forgetBlob, giveUpUpload, uploadLeaseMs } from './blob-ledger.ts';
import type { BlobSweeper } from './blob-sweeper.ts';
import type { FileStore } from './file-store.ts';
import type { ArrivingFile } from './multipart.ts';
import type { FileRow } from './repository.ts';
import type { ReceivedFile } from './service.ts';

interface BlobDeps {
  readonly database: Database;
  readonly store: FileStore;
  readonly dataKeys: DataKeys;
  readonly sweeper: BlobSweeper;
  readonly newId: IdGenerator;
}

export type Blobs = ReturnType<typeof createBlobs>;

function placeOf(fileId: string): SealPlace {
  return { purpose: 'file', table: 'files', recordId: fileId };
}

export function createBlobs({ database, store, dataKeys, sweeper, newId }: BlobDeps) {
  async function giveUp(key: string): Promise<void> {
    // If the database is unavailable, the entry expires.
    const givenUp = await database.run(giveUpUpload, { key }).catch(() => 0);
    if (givenUp === 0) return;
    try {
      await store.remove(key);
      await database.run(forgetBlob, { key });
    } catch {
      sweeper.wake();
    }
  }

  return {
    /** Memory that one upload takes, in bytes, whatever its size. */
    uploadBytes: store.putBytes,

    /**
     * Stores an arriving file for a project. `checkSize` gets the bytes so far and throws to end the upload; it may
     * be asynchronous. When this rejects, nothing is left behind, or the sweeper will remove it.
     */
    async receive(
      projectId: string,
      file: ArrivingFile,
      checkSize: (bytesSoFar: number) => Promise<void> | undefined,
    ) {
      const cipher = await dataKeys.cipherOf(database, projectId);
      const id = newId();
      const hash = createHash('sha256');
      let sizeBytes = 0;
      async function* measured() {
        for await (const chunk of file.content) {
          sizeBytes += chunk.length;
          await checkSize(sizeBytes);
          hash.update(chunk);
          yield chunk;
        }
      }
      await database.run(enterUpload, { key: id });
      const extend = () => void database.run(extendUpload, { key: id }).catch(() => 0);
      const renewal = setInterval(extend, uploadLeaseMs / 4);
      try {
        await store.put(id, cipher.sealStream(placeOf(id), measured()));
      } catch (error) {
        const isGivenUp = giveUp(id);
        // Do not wait for the removal, because the store may be silent.
        if (!(error instanceof AppError && error.code === 'storage_unavailable')) await isGivenUp;
        throw error;
      } finally {
        clearInterval(renewal);
      }
      const { filename, contentType } = file;
      return { id, storageKey: id, filename, contentType, sizeBytes, checksum: hash.digest('hex') };
    },

    /** Removes a received file, unless it now belongs to the project after all. */
    discard: (file: ReceivedFile) => giveUp(file.storageKey),

    /**
     * The plain bytes of a file from an offset. Reading throws if the bytes are not those that were stored.
     */
    async *open(projectId: string, file: FileRow, firstByte: number) {
      const cipher = await dataKeys.cipherOf(database, projectId);
      const place = placeOf(file.id);
      yield* cipher.openStream(place, (span) => store.open(file.storage_key, span), firstByte);
    },

    removeDeleted: () => sweeper.wake(),
  };
}
