// client.files: upload, list, download and delete files, the bytes as streams. docs/specification.md §6.

import type { ApiPromise } from '../call/api-promise.ts';
import type { Answer, QueryInput } from '../call/call.ts';
import type { Transport } from '../call/transport.ts';
import type { StoredFile } from '../contract/types.ts';
import type { DownloadedFile, DownloadOptions } from '../files/download.ts';
import type { FileUpload } from '../files/multipart.ts';
import { type ItemSequence, iteratePages, type PageOptions } from '../lists/pagination.ts';
import type { CallOptions } from '../settings.ts';

export class Files {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Uploads a file without holding it in memory. Only content that can be read twice is retried; see `FileUpload`. */
  upload(file: FileUpload, options?: CallOptions): ApiPromise<Answer<'uploadFile'>> {
    // Loaded on use, as are downloads: many programs move no files.
    const prepare = async () => (await import('../files/upload.ts')).uploadOf(file);
    return this.#transport.upload(prepare, options);
  }

  /** One page of files, the newest first. */
  list(query?: QueryInput<'listFiles'>, options?: CallOptions): ApiPromise<Answer<'listFiles'>> {
    return this.#transport.call('listFiles', { query }, options);
  }

  /** All files, page by page as they are asked for. */
  iterate(options?: CallOptions & PageOptions): ItemSequence<StoredFile> {
    return iteratePages(
      async (place) => {
        const { files: items, total, next } = await this.list(place, options);
        return { items, total, next };
      },
      ({ id }) => id,
      options,
    );
  }

  /**
   * Opens a file for reading; resolves when its head is there. Read `stream` to its end or cancel it. A transfer that
   * breaks off goes on where it was, and the bytes are verified at the end.
   */
  download(id: string, options: CallOptions & DownloadOptions = {}): Promise<DownloadedFile> {
    const open = (headers: Readonly<Record<string, string>>) =>
      this.#transport.stream('downloadFile', { params: { id } }, options, headers);
    const openDownload = import('../files/download.ts').then((module) => module.openDownload);
    return openDownload.then((download) => download(open, this.#transport.retriesOf(options), options));
  }

  /** Deletes a file. */
  delete(id: string, options?: CallOptions): ApiPromise<Answer<'deleteFile'>> {
    return this.#transport.call('deleteFile', { params: { id } }, options);
  }
}
