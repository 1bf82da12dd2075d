// Files: their rows, within the quotas. Their bytes are elsewhere. docs/specification.md §6, §7.

import type { Recording } from '../audit/service.ts';
import { toAnswer } from '../infra/answers.ts';
import { AppError } from '../infra/app-error.ts';
import { toTimestamp } from '../infra/clock.ts';
import type { Executor } from '../infra/db/database.ts';
import { findQuotas, ofExisting, type QuotasRow } from '../infra/db/project-quotas.ts';
import { pageOf, placeOf } from '../infra/list-parts.ts';
import type { Outbox } from '../webhooks/outbox.ts';
import { enterDeleted, releaseBlob } from './blob-ledger.ts';
import * as rows from './repository.ts';

interface FileServiceDeps extends Recording {
  readonly outbox: Outbox;
}

/** A file whose bytes are stored but that belongs to no project yet. */
export interface ReceivedFile {
  readonly id: string;
  readonly storageKey: string;
  readonly filename: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  readonly checksum: string;
}

export type FileService = ReturnType<typeof createFileService>;

export function createFileService(executor: Executor, { clock, audit, outbox }: FileServiceDeps) {
  async function find(projectId: string, id: string): Promise<rows.FileRow> {
    const row = await executor.get(rows.findFile, { projectId, id });
    if (!row) throw new AppError('file_not_found', 'File not found');
    return row;
  }

  async function usage(projectId: string): Promise<QuotasRow> {
    return ofExisting(await executor.get(findQuotas, { projectId }));
  }

  return {
    /**
     * Adds a received file to the project. Call it in a transaction.
     * Errors: `file_quota_exceeded`, `storage_quota_exceeded`, `storage_unavailable` when the upload took too long.
     */
    async create(projectId: string, file: ReceivedFile) {
      const { id, filename, sizeBytes, checksum } = file;
      while ((await executor.run(rows.takeQuota, { projectId, sizeBytes })) === 0) {
        // Reached only if room was made between the two statements.
        refuseOverQuota(await usage(projectId), sizeBytes);
      }
      if ((await executor.run(releaseBlob, { key: file.storageKey })) === 0) {
        throw new AppError('storage_unavailable', 'The upload was interrupted; try again', undefined, {
          retryAfterSeconds: 1,
        });
      }
      const nowMs = clock.nowMs();
      await executor.run(rows.insertFile, {
        id,
        project_id: projectId,
        filename,
        content_type: file.contentType,
        size_bytes: sizeBytes,
        checksum,
        storage_key: file.storageKey,
        created_at: nowMs,
      });
      await outbox.record(projectId, 'file.uploaded', { fileId: id, filename });
      return { id, filename, size: sizeBytes, sizeBytes, checksum, createdAt: toTimestamp(nowMs) };
    },

    /** Bytes that a file may have now. Errors: like `create`, if not even an empty file or one of `sizeBytes` fits. */
    async checkRoom(projectId: string, sizeBytes = 0): Promise<{ maxBytes: number }> {
      const row = await usage(projectId);
      refuseOverQuota(row, sizeBytes);
      return { maxBytes: row.max_storage_bytes - row.storage_used_bytes };
    },

    /** The project's storage quota: more bytes than any of its files can have, whatever is deleted in the meantime. */
    async maxStorageBytes(projectId: string): Promise<number> {
      return (await usage(projectId)).max_storage_bytes;
    },

    async list(
      projectId: string,
      { limit, offset, after }: { limit: number; offset: number; after?: string | undefined },
    ) {
      const timeOf = async (id: string) => (await executor.get(rows.findFile, { projectId, id }))?.created_at;
      const place = await placeOf(after, timeOf);
      const [found, quotas] = await Promise.all([
        rows.listFilePage(executor, projectId, { limit: limit + 1, offset, after: place }),
        // The quota's count is the total: it changes in the transaction of the file.
        executor.get(findQuotas, { projectId }),
      ]);
      const { rows: page, next } = pageOf(found, limit);
      return {
        files: page.map(({ storage_key: _, ...row }) => ({ ...toAnswer(row), size: row.size_bytes })),
        total: quotas?.files_used ?? 0,
        limit,
        offset,
        next,
      };
    },

    get: find,

    /** Deletes a file; its bytes go once this is committed. Call it in a transaction. Errors: `file_not_found`. */
    async remove(projectId: string, id: string): Promise<void> {
      const { filename, size_bytes, storage_key } = await find(projectId, id);
      // The quotas' row first, like creation: two transactions that lock in one order cannot block each other.
      await executor.run(rows.returnQuota, { projectId, sizeBytes: size_bytes });
      if ((await executor.run(rows.deleteFile, { projectId, id })) === 0)
        throw new AppError('file_not_found', 'File not found');
      await executor.run(enterDeleted, { key: storage_key });
      audit.record(projectId, 'file.deleted', { type: 'file', id, name: filename });
      await outbox.record(projectId, 'file.deleted', { fileId: id, filename });
    },
  };
}

/** Throws if another file of `sizeBytes` is too much. Texts: docs/specification.md §6. */
function refuseOverQuota(row: QuotasRow, sizeBytes: number): void {
  if (row.files_used >= row.max_files) {
    throw new AppError('file_quota_exceeded', `File quota exceeded (max ${row.max_files})`);
  }
  if (row.storage_used_bytes + sizeBytes > row.max_storage_bytes)
    throw overStorageQuota(row.max_storage_bytes);
}

export function overStorageQuota(maxStorageBytes: number): AppError {
  return new AppError('storage_quota_exceeded', `Storage quota exceeded (max ${maxStorageBytes} bytes)`);
}

/**
 * Deletes some files of a deleted project; their bytes go once this is committed. Call it in a transaction. False when
 * none is left.
 */
export async function deleteFilesOf(executor: Executor, projectId: string, limit: number): Promise<boolean> {
  const deleted = await executor.all(rows.deleteSomeFiles, { projectId, limit });
  for (const { storage_key } of deleted) await executor.run(enterDeleted, { key: storage_key });
  return deleted.length === limit;
}
