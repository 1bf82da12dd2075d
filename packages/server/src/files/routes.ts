// Binds the operations of files to their service and to the bytes.

import { createHash } from 'node:crypto';
import { operations } from '@envsnap/shared';
import type { Request } from 'express';
import type { NoteDisclosure } from '../audit/disclosures.ts';
import { checkIfMatch } from '../infra/http/etag.ts';
import type { Mount } from '../infra/http/mount.ts';
import { contextOf } from '../infra/http/request-context.ts';
import { ReplayedAnswer } from '../infra/json-text.ts';
import type { Work } from '../work.ts';
import type { Blobs } from './blobs.ts';
import { BlobMissingError } from './file-store.ts';
import { maxFormOverheadBytes, readFileForm } from './multipart.ts';
import { sendFile } from './send-file.ts';
import { type FileService, overStorageQuota } from './service.ts';

export function mountFiles(mount: Mount<Work>, blobs: Blobs, noteDisclosure: NoteDisclosure): void {
  mount(operations.uploadFile, async ({ principal, work, request, hold }) => {
    const { projectId } = principal;
    hold(blobs.uploadBytes);
    const checkSize = await createSizeCheck(request, work.read.files, projectId);
    const received = await readFileForm(
      request,
      (file) => blobs.receive(projectId, file, checkSize),
      (unwanted) => blobs.discard(unwanted),
    );
    const { filename, contentType, checksum } = received;
    // The boundary differs for each form.
    const body = JSON.stringify([filename, contentType, checksum]);
    contextOf(request).bodyDigest = createHash('sha256').update(body).digest();
    let isKept = false;
    try {
      const created = await work.transact(({ files }) => files.create(projectId, received));
      isKept = !(created instanceof ReplayedAnswer);
      return created;
    } finally {
      if (!isKept) await blobs.discard(received);
    }
  });

  mount(operations.listFiles, async ({ query, principal, work }) =>
    work.read.files.list(principal.projectId, query),
  );

  mount(operations.downloadFile, async ({ params, principal, work, request, response }) => {
    const { projectId } = principal;
    const { files } = work.read;
    const file = await files.get(projectId, params.id);
    try {
      await sendFile(request, response, file, {
        async open(firstByte) {
          const target = { type: 'file', id: file.id, name: file.filename } as const;
          await noteDisclosure(request, { action: 'file.downloaded', target });
          return blobs.open(projectId, file, firstByte);
        },
        checkAgain: () => Promise.all([work.confirm(), files.get(projectId, params.id)]),
      });
    } catch (error) {
      // If it was deleted between the two lookups, this throws `file_not_found`.
      if (error instanceof BlobMissingError) await files.get(projectId, params.id);
      throw error;
    }
    return undefined;
  });

  mount(operations.deleteFile, async ({ params, principal, work, request }) => {
    const { projectId } = principal;
    // A file never changes, so that this needs no transaction.
    if (request.headers['if-match'] !== undefined) {
      const { checksum } = await work.read.files.get(projectId, params.id);
      checkIfMatch(request, `"${checksum}"`);
    }
    await work.transact(({ files }) => files.remove(projectId, params.id));
    blobs.removeDeleted();
    return { success: true as const };
  });
}

/**
 * Checks an upload's size while it arrives, and refuses at once a file that can never fit. With an `Idempotency-Key`, only the
 * transaction can tell a retry, which gets the first response, from one file too many, so until then only the quota itself is the
 * limit.
 */
async function createSizeCheck(
  request: Request,
  files: FileService,
  projectId: string,
): Promise<(bytesSoFar: number) => Promise<void> | undefined> {
  if (request.headers['idempotency-key'] !== undefined) {
    const maxBytes = await files.maxStorageBytes(projectId);
    return (bytesSoFar) => {
      if (bytesSoFar > maxBytes) throw overStorageQuota(maxBytes);
      return undefined;
    };
  }
  const leastBytes = Number(request.headers['content-length'] ?? 0) - maxFormOverheadBytes;
  let { maxBytes } = await files.checkRoom(projectId, Math.max(0, leastBytes));
  return (bytesSoFar) => {
    if (bytesSoFar <= maxBytes) return undefined;
    return files.checkRoom(projectId, bytesSoFar).then((room) => {
      maxBytes = room.maxBytes;
    });
  };
}
