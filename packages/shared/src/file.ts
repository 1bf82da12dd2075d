// Files of a project. docs/specification.md §6.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import * as p from './primitives.ts';

const checksum = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 of the bytes, hex.');
const sizeBytes = p.natural('Size in bytes.');

export const file = p.object('File', {
  id: p.uuid.describe('Id of the file.'),
  filename: p.string('File name, without a path.'),
  contentType: p.string('Media type given with the upload.'),
  sizeBytes,
  size: sizeBytes.describe('The same as `sizeBytes`, under the name that the response to an upload uses.'),
  checksum,
  createdAt: p.timestamp.describe('When the file was stored.'),
});
export type StoredFile = z.infer<typeof file>;

export const fileOperations = defineOperations('files', {
  uploadFile: {
    route: 'POST /machine/files',
    summary: 'Upload a file as multipart/form-data, field "file"',
    access: ['owner', 'admin', 'member'],
    upload: true,
    response: z.object({
      id: p.uuid.describe('Id of the new file.'),
      filename: p.string('File name, without a path.'),
      size: sizeBytes,
      sizeBytes: sizeBytes.describe('The same as `size`, under the name that lists use.'),
      checksum,
      createdAt: p.timestamp.describe('When the file was stored.'),
    }),
    status: 201,
    answer: 'The file was stored.',
    idempotency: 'plain',
    errors: ['file_quota_exceeded', 'storage_quota_exceeded', 'storage_unavailable'],
  },

  listFiles: {
    route: 'GET /machine/files',
    summary: 'List files, newest first',
    access: 'any',
    query: p.cursorQuery,
    response: p.named(
      'PageOfFiles',
      p.cursorInfo.extend({ files: p.list(file, 'The entries of this page, newest first.') }),
    ),
    answer: 'A page of files.',
  },

  downloadFile: {
    route: 'GET /machine/files/:id',
    summary: 'Download the bytes of a file',
    access: 'any',
    params: p.idParams,
    response: 'binary',
    answer: 'The bytes of the file.',
    etag: true,
    ifMatch: true,
    ranges: true,
    errors: ['file_not_found', 'range_not_satisfiable', 'storage_unavailable'],
  },

  deleteFile: {
    route: 'DELETE /machine/files/:id',
    summary: 'Delete a file',
    access: ['owner', 'admin', 'member'],
    params: p.idParams,
    response: p.success,
    answer: 'The file was deleted.',
    ifMatch: true,
    errors: ['file_not_found'],
  },
});
