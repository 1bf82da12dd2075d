// Rows of files, and the share of the quotas that they take.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import type { ListPlace } from '../infra/list-parts.ts';

/** A file's row; `created_at` is milliseconds since the epoch. */
export interface FileRow {
  id: string;
  filename: string;
  content_type: string;
  size_bytes: number;
  checksum: string;
  storage_key: string;
  created_at: number;
}

interface NewFile {
  id: string;
  projectId: string;
  filename: string;
  contentType: string;
  sizeBytes: number;
  checksum: string;
  storageKey: string;
  nowMs: number;
}

/** What a project's files may take and what they take. */
export interface FileUsageRow {
  max_files: number;
  files_used: number;
  max_storage_bytes: number;
  storage_used_bytes: number;
}

const fileColumns = ['id', 'filename', 'content_type', 'size_bytes', 'checksum', 'storage_key', 'created_at'];

const insert = defineStatement<NewFile>((qb, p) =>
  qb('files').insert({
    id: p.id,
    project_id: p.projectId,
    filename: p.filename,
    content_type: p.contentType,
    size_bytes: p.sizeBytes,
    checksum: p.checksum,
    storage_key: p.storageKey,
    created_at: p.nowMs,
  }),
);

const find = defineStatement<{ projectId: string; id: string }, FileRow>((qb, p) =>
  qb('files').select(fileColumns).where({ id: p.id, project_id: p.projectId }),
);

interface ListedPage {
  projectId: string;
  limit: number;
  offset: number;
}

const newestFirst = [
  { column: 'created_at', order: 'desc' },
  { column: 'id', order: 'desc' },
];

const list = defineStatement<ListedPage, FileRow>((qb, p) =>
  qb('files')
    .select(fileColumns)
    .where('project_id', p.projectId)
    .orderBy(newestFirst)
    .limitTo(p.limit, p.offset),
);

const listBehind = defineStatement<ListedPage & ListPlace, FileRow>((qb, p) =>
  qb('files')
    .select(fileColumns)
    .where('project_id', p.projectId)
    .whereRaw('(created_at, id) < (?, ?)', [p.createdAt, p.id])
    .orderBy(newestFirst)
    .limitTo(p.limit, p.offset),
);

const remove = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('files').where({ id: p.id, project_id: p.projectId }).delete(),
);

const removeSome = defineStatement<{ projectId: string; limit: number }, { storage_key: string }>((qb, p) =>
  qb('files')
    .whereIn('id', qb('files').select('id').where('project_id', p.projectId).limitTo(p.limit))
    .delete()
    .returning(['storage_key']),
);

const takeQuota = defineStatement<{ projectId: string; sizeBytes: number }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .where('files_used', '<', qb.ref('max_files'))
    .whereRaw('storage_used_bytes + ? <= max_storage_bytes', [p.sizeBytes])
    .update({
      files_used: qb.raw('files_used + 1'),
      storage_used_bytes: qb.raw('storage_used_bytes + ?', [p.sizeBytes]),
    }),
);

const returnQuota = defineStatement<{ projectId: string; sizeBytes: number }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .update({
      files_used: qb.raw('files_used - 1'),
      storage_used_bytes: qb.raw('storage_used_bytes - ?', [p.sizeBytes]),
    }),
);

const findUsage = defineStatement<{ projectId: string }, FileUsageRow>((qb, p) =>
  qb('project_quotas')
    .select('max_files', 'files_used', 'max_storage_bytes', 'storage_used_bytes')
    .where('project_id', p.projectId),
);

/** Queries of files. */
export function createFileRepository(executor: Executor) {
  return {
    insert: (file: NewFile) => executor.run(insert, file),
    find: (projectId: string, id: string) => executor.get(find, { projectId, id }),
    /** Newest first: by time, then by id. */
    list: (projectId: string, limit: number, offset: number, after?: ListPlace) =>
      after
        ? executor.all(listBehind, { projectId, limit, offset, ...after })
        : executor.all(list, { projectId, limit, offset }),
    /** True when there was such a file. */
    remove: async (projectId: string, id: string) => (await executor.run(remove, { projectId, id })) > 0,
    /** Deletes some files of a project, whatever they are. */
    removeSome: (projectId: string, limit: number) => executor.all(removeSome, { projectId, limit }),
    /** Counts one file more of that size, unless a quota forbids it: then false. Locks the quotas until the commit. */
    takeQuota: async (projectId: string, sizeBytes: number) =>
      (await executor.run(takeQuota, { projectId, sizeBytes })) > 0,
    returnQuota: (projectId: string, sizeBytes: number) =>
      executor.run(returnQuota, { projectId, sizeBytes }),
    usage: (projectId: string) => executor.get(findUsage, { projectId }),
  };
}
