// Opens the configured store of files.

import path from 'node:path';
import type { Config } from '../config.ts';
import { StartupError } from '../infra/app-error.ts';
import { isNetworkFailure } from '../infra/network-errors.ts';
import { blobFolder, openDiskFileStore } from './disk-file-store.ts';
import { type FileStore, withStoreErrors } from './file-store.ts';

type StoreConfig = Pick<Config, 'fileStore' | 's3Endpoint' | 'dataDir'>;

/**
 * Opens the store and checks that it can be used. If it is unavailable, calls `onAway` with the reason, and file requests get 503
 * until it is back. Without `onAway` it throws. Errors: StartupError.
 */
export async function openFileStore(
  config: StoreConfig,
  onAway?: (reason: string) => void,
): Promise<FileStore> {
  try {
    const store = await open(config);
    await store.check().catch((error: unknown) => {
      if (!onAway || config.fileStore.kind !== 's3' || !isAway(error)) throw error;
      onAway(reasonOf(error));
    });
    return withStoreErrors(store);
  } catch (error) {
    throw new StartupError(`cannot use the file store ${describe(config)}: ${reasonOf(error)}`, {
      cause: error,
      isAway: config.fileStore.kind === 's3' && isAway(error),
    });
  }
}

/** Whether the service is down or unreachable, rather than configured wrongly. */
function isAway(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 500;
  return isNetworkFailure(error) || (error as Error).name === 'TimeoutError';
}

function statusOf(error: unknown): number | undefined {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
}

async function open({ fileStore, s3Endpoint, dataDir }: StoreConfig): Promise<FileStore> {
  if (fileStore.kind === 'disk') return openDiskFileStore(path.join(dataDir, blobFolder));
  const { openS3FileStore } = await import('./s3-file-store.ts');
  return openS3FileStore({ ...fileStore, endpoint: s3Endpoint });
}

/** S3's response to HEAD has no text, only a status. */
function reasonOf(error: unknown): string {
  const status = statusOf(error);
  if (status === 404) return 'there is no such bucket';
  if (status === 401 || status === 403) return 'access is denied; check the AWS credentials and their rights';
  if (status !== undefined) return `the service returns ${status}`;
  const { name, message } = error as Error;
  if (message === 'Region is missing') return 'no region is set; give AWS_REGION';
  if (name === 'CredentialsProviderError')
    return 'no credentials are found; give AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a role';
  return error instanceof Error ? error.message || error.name : String(error);
}

function describe({ fileStore, s3Endpoint, dataDir }: StoreConfig): string {
  if (fileStore.kind === 'disk') return path.join(dataDir, blobFolder);
  const at = s3Endpoint === undefined ? '' : ` at ${new URL(s3Endpoint).host}`;
  return `s3://${fileStore.bucket}/${fileStore.prefix}${at} (ENVSNAP_FILE_STORE)`;
}
