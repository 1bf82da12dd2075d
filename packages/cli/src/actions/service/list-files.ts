// Lists stored files: one page, or all of them.

import type { EnvSnap } from '@envsnap/sdk';
import type { StoredFile } from '@envsnap/shared';

/** Files with their place among all. */
export interface FileList {
  readonly files: StoredFile[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  /** Where the next page begins; null when there is none. */
  readonly next: string | null;
}

/** A page of files, or all of them. */
export async function listFiles(
  client: EnvSnap,
  page: 'all' | { readonly limit: number; readonly offset: number },
): Promise<FileList> {
  if (page !== 'all') return client.files.list(page);
  const files: StoredFile[] = [];
  for await (const file of client.files.iterate()) files.push(file);
  return { files, total: files.length, limit: files.length, offset: 0, next: null };
}
