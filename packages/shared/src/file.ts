// Files of a project. docs/specification.md §6.

import * as z from 'zod';
import { defineOperations } from './operation.ts';
import { cursorInfo, cursorQuery, idParams, success, timestamp, uuid } from './primitives.ts';

const checksum = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('SHA-256 of the bytes, hex.');
const sizeBytes = z.number().int().min(0).describe('Size in bytes.');

export const file = z.object({
  id: uuid.describe('Id of the file.'),
  filename: z.string().describe('Name without a path.'),
  contentType: z.string().describe('Media type that was given with the upload.'),
  sizeBytes,
  checksum,
  createdAt: timestamp.describe('When the file was stored.'),
});
export type StoredFile = z.infer<typeof file>;

export const fileOperations = defineOperations('files', {
  uploadFile: {
    method: 'POST',
    path: '/machine/files',
    summary: 'Upload a file as multipart/form-data, field "file"',
    access: ['owner', 'admin', 'member'],
    upload: true,
    response: z.object({
      id: uuid.describe('Id of the new file.'),
      filename: z.string().describe('Name without a path.'),
      size: sizeBytes,
      sizeBytes: sizeBytes.describe('The same as `size`, under the name that lists have.'),
      checksum,
      createdAt: timestamp.describe('When the file was stored.'),
    }),
    status: 201,
    answer: 'The file is stored.',
    idempotency: 'plain',
    errors: ['file_quota_exceeded', 'storage_quota_exceeded', 'storage_unavailable'],
  },

  listFiles: {
    method: 'GET',
    path: '/machine/files',
    summary: 'List files, the newest first',
    access: 'any',
    query: cursorQuery,
    response: cursorInfo.extend({ files: z.array(file).describe('The page, the newest first.') }),
    answer: 'A page of files.',
    errors: [],
  },

  downloadFile: {
    method: 'GET',
    path: '/machine/files/:id',
    summary: 'Download the bytes of a file',
    access: 'any',
    params: idParams,
    response: 'binary',
    answer: 'The bytes of the file.',
    etag: true,
    ifMatch: true,
    ranges: true,
    errors: ['file_not_found', 'range_not_satisfiable', 'storage_unavailable'],
  },

  deleteFile: {
    method: 'DELETE',
    path: '/machine/files/:id',
    summary: 'Delete a file',
    access: ['owner', 'admin', 'member'],
    params: idParams,
    response: success,
    answer: 'The file is gone.',
    ifMatch: true,
    errors: ['file_not_found'],
  },
});
