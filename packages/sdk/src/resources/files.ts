// client.files: upload, list, download and delete files, the bytes as streams. docs/specification.md §6.

import type { ApiPromise } from '../call/api-promise.ts';
import type {
  CursorQuery,
  ListFilesAnswer,
  StoredFile,
  Success,
  UploadFileAnswer,
} from '../contract/types.ts';
import type { DownloadedFile, DownloadOptions } from '../files/download.ts';
import type { FileUpload } from '../files/multipart.ts';
import { defineList, type ListPromise, listOf, walkOf } from '../lists/list-promise.ts';
import type { ItemSequence, PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';
import { Resource } from './resource.ts';

const files = defineList('listFiles', 'files', 'id');

export class Files extends Resource {
  /**
   * Uploads a file without holding it in memory. Only content that can be read again is retried; see `FileUpload`.
   * @example
   * const { id } = await client.files.upload({ content: new Blob(['a,b']), filename: 'table.csv' });
   */
  upload(file: FileUpload, options?: CallOptions): ApiPromise<UploadFileAnswer> {
    // A stream may fail before anybody reads it, and an unhandled error ends a Node.js program.
    (file?.content as { on?(event: 'error', listener: () => void): void } | undefined)?.on?.(
      'error',
      () => undefined,
    );
    // Loaded on use, as are downloads: many programs move no files.
    const prepare = async () => (await import('../files/upload.ts')).uploadOf(file);
    return this.transport.upload(prepare, options);
  }

  /**
   * One page of files, newest first.
   * @example
   * for await (const { filename } of client.files.list()) console.log(filename);
   */
  list(query?: CursorQuery, options?: CallOptions): ListPromise<ListFilesAnswer, StoredFile> {
    return listOf(this.transport, files, { query }, options);
  }

  /**
   * All files, fetched page by page as needed.
   * @example
   * const newest = await client.files.iterate().toArray({ limit: 3 });
   */
  iterate(options?: CallOptions & PageOptions): ItemSequence<StoredFile> {
    return walkOf(this.transport, files, {}, options);
  }

  /**
   * Opens a file for reading; resolves when its headers have arrived. Read `stream` to its end or cancel it. A transfer that
   * breaks off is resumed, and the bytes are verified at the end. With `offset` it begins later in the file.
   * @example
   * const text = await new Response((await client.files.download(id)).stream).text();
   */
  download(id: string, options: CallOptions & DownloadOptions = {}): Promise<DownloadedFile> {
    const open = (headers: Readonly<Record<string, string>>) =>
      this.transport.stream('downloadFile', { params: { id } }, options, headers);
    const openDownload = import('../files/download.ts').then((module) => module.openDownload);
    return openDownload.then((download) => download(open, this.transport.retriesOf(options), options));
  }

  /**
   * Deletes a file.
   * @example
   * await client.files.delete(id);
   */
  delete(id: string, options?: CallOptions): ApiPromise<Success> {
    return this.transport.call('deleteFile', { params: { id } }, options);
  }
}
