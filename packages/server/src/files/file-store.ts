// The interface to the storage of files. Stores see sealed bytes only.

import { AppError } from '../infra/app-error.ts';

/** Keeps blobs by key. A blob is complete or absent, and never changes. */
export interface FileStore {
  readonly location: string;
  /** Memory that one `put` takes while it runs, in bytes; it does not grow with the blob. */
  readonly putBytes: number;
  /** Stores everything that `source` yields, as durably as the store can. An error of `source` leaves nothing behind. */
  put(key: string, source: AsyncIterable<Uint8Array>): Promise<void>;
  /** The bytes of a blob, or those of a span. Errors: {@link BlobMissingError}, before the first byte. */
  open(key: string, span?: BlobSpan): Promise<AsyncIterable<Uint8Array>>;
  /** Removes a blob, also an incomplete one of an interrupted `put`; no error if there is none. */
  remove(key: string): Promise<void>;
  /** The keys of all blobs with their sizes, in no order; those of interrupted uploads too. */
  list(): AsyncIterable<StoredBlob>;
  check(): Promise<void>;
  /**
   * From now on, calls `observe` with every request to a storage service, once its response has begun. A store on disk has
   * none.
   */
  observe?(observe: ObserveStore): void;
}

type ObserveStore = (operation: string, result: 'ok' | 'failed', durationMs: number) => void;

/** Bytes of a blob: from `start`, which is within it, to `end`, both included, or to the last one. */
export interface BlobSpan {
  readonly start: number;
  readonly end?: number;
}

export interface StoredBlob {
  readonly key: string;
  readonly sizeBytes: number;
}

export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
}

export function isBlobKey(key: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(key);
}

/** The key, checked: anything but an identifier could reach outside the store. */
export function requireBlobKey(key: string): string {
  if (!isBlobKey(key)) throw new Error('not the key of a blob');
  return key;
}

/**
 * Wraps a store so that its failures become `storage_unavailable`. Errors of a source that is being stored, and {@link
 * BlobMissingError}, stay unchanged.
 */
export function withStoreErrors(store: FileStore): FileStore {
  return {
    location: store.location,
    putBytes: store.putBytes,
    async put(key, source) {
      let sourceFailure: { error: unknown } | undefined;
      async function* watched() {
        try {
          yield* source;
        } catch (error) {
          sourceFailure = { error };
          throw error;
        }
      }
      try {
        await store.put(key, watched());
      } catch (error) {
        throw sourceFailure ? sourceFailure.error : unavailable(error);
      }
    },
    async open(key, span) {
      return translated(await store.open(key, span).catch(rethrow));
    },
    remove: (key) => store.remove(key).catch(rethrow),
    list: () => translated(store.list()),
    check: () => store.check().catch(rethrow),
    observe: (observe) => store.observe?.(observe),
  };
}

async function* translated<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* source;
  } catch (error) {
    rethrow(error);
  }
}

function rethrow(error: unknown): never {
  throw error instanceof BlobMissingError ? error : unavailable(error);
}

function unavailable(cause: unknown): AppError {
  return new AppError('storage_unavailable', 'The file store is not available; try again', undefined, {
    cause,
    retryAfterSeconds: 5,
  });
}
