// Rows of files, and the share of the quotas that they take.

import type { Executor } from '../infra/db/database.ts';
import { defineStatement } from '../infra/db/statement.ts';
import { type ListPlace, newestFirst } from '../infra/list-parts.ts';

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

const fileColumns = ['id', 'filename', 'content_type', 'size_bytes', 'checksum', 'storage_key', 'created_at'];

export const insertFile = defineStatement<FileRow & { project_id: string }>((qb, p) => qb('files').insert(p));

export const findFile = defineStatement<{ projectId: string; id: string }, FileRow>((qb, p) =>
  qb('files').select(fileColumns).where({ id: p.id, project_id: p.projectId }),
);

export const deleteFile = defineStatement<{ projectId: string; id: string }>((qb, p) =>
  qb('files').where({ id: p.id, project_id: p.projectId }).delete(),
);

/** Deletes some files of a project, whatever they are. */
export const deleteSomeFiles = defineStatement<{ projectId: string; limit: number }, { storage_key: string }>(
  (qb, p) =>
    qb('files')
      .whereIn('id', qb('files').select('id').where('project_id', p.projectId).limitTo(p.limit))
      .delete()
      .returning(['storage_key']),
);

/** Counts one file more of that size, unless a quota forbids it. Locks the quotas until the commit. */
export const takeQuota = defineStatement<{ projectId: string; sizeBytes: number }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .where('files_used', '<', qb.ref('max_files'))
    .whereRaw('storage_used_bytes + ? <= max_storage_bytes', [p.sizeBytes])
    .update({
      files_used: qb.raw('files_used + 1'),
      storage_used_bytes: qb.raw('storage_used_bytes + ?', [p.sizeBytes]),
    }),
);

export const returnQuota = defineStatement<{ projectId: string; sizeBytes: number }>((qb, p) =>
  qb('project_quotas')
    .where('project_id', p.projectId)
    .update({
      files_used: qb.raw('files_used - 1'),
      storage_used_bytes: qb.raw('storage_used_bytes - ?', [p.sizeBytes]),
    }),
);

/** Newest first. */
export function listFilePage(
  executor: Executor,
  projectId: string,
  { limit, offset, after }: { limit: number; offset: number; after: ListPlace | undefined },
): Promise<FileRow[]> {
  const files = executor.dialect.builder('files').select(fileColumns).where('project_id', projectId);
  if (after) files.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
  return executor.all<FileRow>(files.orderBy(newestFirst).limit(limit).offset(offset));
}
