// Rows of files, and the share of the quotas that they take.

import type { Executor } from '../infra/db/database.ts';
import { defineInsert, defineSql } from '../infra/db/statement.ts';
import { type ListPlace, newestFirst } from '../infra/list-parts.ts';

export interface FileRow {
  id: string;
  filename: string;
  content_type: string;
  size_bytes: number;
  checksum: string;
  storage_key: string;
  created_at: number;
}

const columns = 'id, filename, content_type, size_bytes, checksum, storage_key, created_at';

export const insertFile = defineInsert<FileRow & { project_id: string }>('files');

export const findFile = defineSql<{ projectId: string; id: string }, FileRow>(
  `select ${columns} from files where id = :id and project_id = :projectId`,
);

export const deleteFile = defineSql<{ projectId: string; id: string }>(
  'delete from files where id = :id and project_id = :projectId',
);

export const deleteSomeFiles = defineSql<{ projectId: string; limit: number }, { storage_key: string }>(
  `delete from files where id in (select id from files where project_id = :projectId limit :limit)
  returning storage_key`,
);

/** Counts one more file of that size, unless a quota forbids it. Locks the quotas until the commit. */
export const takeQuota = defineSql<{ projectId: string; sizeBytes: number }>(
  `update project_quotas set files_used = files_used + 1, storage_used_bytes = storage_used_bytes + :sizeBytes
  where project_id = :projectId and files_used < max_files and storage_used_bytes + :sizeBytes <= max_storage_bytes`,
);

export const returnQuota = defineSql<{ projectId: string; sizeBytes: number }>(
  `update project_quotas set files_used = files_used - 1, storage_used_bytes = storage_used_bytes - :sizeBytes
  where project_id = :projectId`,
);

export function listFilePage(
  executor: Executor,
  projectId: string,
  { limit, offset, after }: { limit: number; offset: number; after: ListPlace | undefined },
): Promise<FileRow[]> {
  const files = executor.dialect.builder('files').select(columns.split(', ')).where('project_id', projectId);
  if (after) files.whereRaw('(created_at, id) < (?, ?)', [after.createdAt, after.id]);
  return executor.all<FileRow>(files.orderBy(newestFirst).limit(limit).offset(offset));
}
