// Opens the configured store of files.

import path from 'node:path';
import type { FileStoreConfig } from '../config.ts';
import { StartupError } from '../infra/app-error.ts';
import { blobFolder, openDiskFileStore } from './disk-file-store.ts';
import { type FileStore, withStoreErrors } from './file-store.ts';

/** Opens the store and makes sure that it can be used. Errors: StartupError. */
export async function openFileStore(config: FileStoreConfig, dataDir: string): Promise<FileStore> {
  try {
    const store = await open(config, dataDir);
    await store.check();
    return withStoreErrors(store);
  } catch (error) {
    throw new StartupError(`cannot use the file store ${describe(config, dataDir)}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}

async function open(config: FileStoreConfig, dataDir: string): Promise<FileStore> {
  if (config.kind === 'disk') return openDiskFileStore(path.join(dataDir, blobFolder));
  const { openS3FileStore } = await import('./s3-file-store.ts');
  return openS3FileStore(config);
}

/** S3 answers to HEAD without a text: then the status is all there is. */
function reasonOf(error: unknown): string {
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  if (status === 404) return 'there is no such bucket';
  if (status === 401 || status === 403) return 'access is denied; check the AWS credentials and their rights';
  if (status !== undefined) return `the service answers ${status}`;
  return error instanceof Error ? error.message || error.name : String(error);
}

function describe(config: FileStoreConfig, dataDir: string): string {
  if (config.kind === 'disk') return path.join(dataDir, blobFolder);
  const at = config.endpoint === undefined ? '' : ` at ${new URL(config.endpoint).host}`;
  return `s3://${config.bucket}/${config.prefix}${at} (ENVSNAP_FILE_STORE)`;
}
