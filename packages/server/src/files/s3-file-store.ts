// Keeps blobs as objects of an S3-compatible bucket. Loaded only where one is configured: the client is large.

import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import {
  BlobMissingError,
  type FileStore,
  isBlobKey,
  requireBlobKey,
  type StoredBlob,
} from './file-store.ts';

/** The location of the bucket. Credentials and region come from the usual AWS settings. */
interface S3Location {
  readonly bucket: string;
  readonly prefix: string;
  /** Endpoint of a service other than AWS; its buckets are addressed by path. */
  readonly endpoint: string | undefined;
}

/** The smallest part that S3 accepts, except for the last; a blob has at most 10,000, which is 48 GiB. */
const partBytes = 5 * 1024 * 1024;
const connectTimeoutMs = 5000;
/** Longest time from the first byte of a request, which may be a part of 5 MiB, until the response begins. */
const answerTimeoutMs = 7500;
/** Longest silence of the service while it sends an object. */
const socketTimeoutMs = 30_000;
const maxAttempts = 2;
const defaultRegion = 'us-east-1';

/** Opens the store; the bucket must exist. A request to a service that does not respond takes little more than 15 s. */
export function openS3FileStore(
  { bucket, prefix, endpoint }: S3Location,
  requestTimeout = answerTimeoutMs,
): FileStore {
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(endpoint !== undefined &&
      !process.env.AWS_REGION &&
      !process.env.AWS_DEFAULT_REGION && { region: defaultRegion }),
    // Blobs authenticate themselves, and not every compatible service knows the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts,
    requestHandler: {
      connectionTimeout: connectTimeoutMs,
      requestTimeout,
      throwOnRequestTimeout: true,
      socketTimeout: socketTimeoutMs,
    },
  });
  const keyPrefix = prefix === '' ? '' : `${prefix}/`;
  const address = (key: string) => ({ Bucket: bucket, Key: `${keyPrefix}${requireBlobKey(key)}` });

  /** Aborts interrupted uploads of a key; some services cannot list them. */
  async function abortUploads(key: string): Promise<void> {
    const { Bucket, Key } = address(key);
    try {
      const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: Key }));
      for (const { UploadId } of Uploads.filter((upload) => upload.Key === Key)) {
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }));
      }
    } catch (error) {
      if (!isNamed(error, 'NotImplemented')) throw error;
    }
  }

  return {
    location: `s3://${bucket}/${keyPrefix}`,
    putBytes: partBytes,

    put: (key, source) => putInParts(client, address(key), source),

    async open(key, span) {
      try {
        const { Body } = await client.send(
          new GetObjectCommand({
            ...address(key),
            ...(span && { Range: `bytes=${span.start}-${span.end ?? ''}` }),
          }),
        );
        return Body as Readable;
      } catch (error) {
        // A blob that was cut short has no bytes in this range. Its reader notices that.
        if (isNamed(error, 'InvalidRange')) return Readable.from([]);
        if (!isNamed(error, 'NoSuchKey')) throw error;
        throw new BlobMissingError(`the bucket has no object ${key}`, { cause: error });
      }
    },

    async remove(key) {
      await abortUploads(key);
      await client.send(new DeleteObjectCommand(address(key)));
    },

    async *list(): AsyncGenerator<StoredBlob> {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: keyPrefix, ContinuationToken }),
        );
        for (const { Key = '', Size = 0 } of page.Contents ?? []) {
          const key = Key.slice(keyPrefix.length);
          // Other objects in the bucket are not ours.
          if (isBlobKey(key)) yield { key, sizeBytes: Size };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },

    observe(observe) {
      client.middlewareStack.add(
        (next, { commandName = '' }) =>
          async (input) => {
            const startedMs = performance.now();
            const end = (result: 'ok' | 'failed') =>
              observe(commandName.replace(/Command$/, ''), result, performance.now() - startedMs);
            try {
              const output = await next(input);
              end('ok');
              return output;
            } catch (error) {
              // A missing object, or a request that this service does not support, still shows that the service responds.
              end(isNamed(error, 'NoSuchKey') || isNamed(error, 'NotImplemented') ? 'ok' : 'failed');
              throw error;
            }
          },
        { step: 'initialize', name: 'observe', override: true },
      );
    },

    async check() {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
    },
  };
}

/**
 * Stores a blob of unknown length: in parts, or in one request when it is small. One buffer holds every part in turn,
 * which keeps memory flat: large buffers outlive V8's young generation.
 */
async function putInParts(
  client: S3Client,
  address: { Bucket: string; Key: string },
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(partBytes);
  const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
  let UploadId: string | undefined;
  let filled = 0;

  async function sendPart(): Promise<void> {
    UploadId ??= (await client.send(new CreateMultipartUploadCommand(address))).UploadId;
    const PartNumber = Parts.length + 1;
    const Body = buffer.subarray(0, filled);
    const { ETag } = await client.send(new UploadPartCommand({ ...address, UploadId, PartNumber, Body }));
    Parts.push({ PartNumber, ETag });
    filled = 0;
  }

  try {
    for await (const chunk of source) {
      for (let offset = 0; offset < chunk.length; ) {
        if (filled === partBytes) await sendPart();
        const length = Math.min(chunk.length - offset, partBytes - filled);
        buffer.set(chunk.subarray(offset, offset + length), filled);
        filled += length;
        offset += length;
      }
    }
    if (Parts.length === 0) {
      await client.send(new PutObjectCommand({ ...address, Body: buffer.subarray(0, filled) }));
      return;
    }
    await sendPart();
    await client.send(
      new CompleteMultipartUploadCommand({ ...address, UploadId, MultipartUpload: { Parts } }),
    );
  } catch (error) {
    // If the upload cannot be aborted now, removing the blob will. Do not wait for a silent service.
    if (UploadId !== undefined) {
      const abort = new AbortMultipartUploadCommand({ ...address, UploadId });
      const aborting = client.send(abort).catch(() => undefined);
      if (!isNamed(error, 'TimeoutError')) await aborting;
    }
    throw error;
  }
}

function isNamed(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}
