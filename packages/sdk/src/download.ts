// Reads a file's answer: name, size and checksum from its head, the bytes as a stream that can verify them.

import { createSha256, type Sha256 } from './checksum.ts';
import { contentDispositionFilename } from './content-disposition.ts';
import { AbortError, ChecksumError, ConnectionError, TimeoutError } from './errors.ts';
import type { TransferProgress } from './multipart.ts';
import { StallGuard } from './stall-guard.ts';
import type { StreamedAnswer } from './transport.ts';

export interface DownloadOptions {
  /** Check the bytes against the stored SHA-256: the stream fails with `ChecksumError` at its end when they differ. */
  readonly verify?: boolean | undefined;
  /** Told after each chunk that came. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

/** A file that is being downloaded. */
export interface DownloadedFile {
  /** The bytes. To be read to the end or cancelled; `new Response(file.stream)` gives text, JSON and bytes. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The stored name: data, not a path. Never write to it unchecked. */
  readonly filename: string;
  readonly contentType: string;
  /** Undefined when something between here and the server changed the encoding. */
  readonly sizeBytes: number | undefined;
  /** SHA-256 as stored, hex; undefined when the answer does not tell. */
  readonly checksum: string | undefined;
  readonly requestId: string | undefined;
}

/** Turns an open answer into a file. */
export async function openDownload(
  answer: StreamedAnswer,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  const { headers } = answer.response;
  const length = headers.get('content-length');
  const sizeBytes =
    length !== null && /^\d+$/.test(length) && !headers.has('content-encoding') ? Number(length) : undefined;
  const checksum = /^(?:W\/)?"([0-9a-f]{64})"$/.exec(headers.get('etag') ?? '')?.[1];
  try {
    if (options.verify && !checksum)
      throw new ChecksumError('The server told no checksum to verify the file with');
    const hash = options.verify ? await createSha256() : undefined;
    return {
      stream: readStream(answer, { sizeBytes, checksum, hash, onProgress: options.onProgress }),
      filename: contentDispositionFilename(headers.get('content-disposition') ?? '') ?? 'download',
      contentType: headers.get('content-type') ?? 'application/octet-stream',
      sizeBytes,
      checksum,
      requestId: headers.get('x-request-id') ?? undefined,
    };
  } catch (error) {
    await answer.response.body?.cancel().catch(() => undefined);
    answer.release();
    throw error;
  }
}

interface Expected {
  readonly sizeBytes: number | undefined;
  readonly checksum: string | undefined;
  readonly hash: Sha256 | undefined;
  readonly onProgress: DownloadOptions['onProgress'];
}

function readStream(answer: StreamedAnswer, expected: Expected): ReadableStream<Uint8Array> {
  const { response, signal, timeoutMs, release } = answer;
  const { sizeBytes, checksum, hash, onProgress } = expected;
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  let transferredBytes = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await readWithin(reader, timeoutMs, signal);
          if (!done) {
            transferredBytes += value.length;
            hash?.update(value);
            onProgress?.({ transferredBytes, totalBytes: sizeBytes });
            controller.enqueue(value);
            return;
          }
          if (sizeBytes !== undefined && transferredBytes !== sizeBytes) {
            throw new ConnectionError(
              `The download broke off after ${transferredBytes} of ${sizeBytes} bytes`,
            );
          }
          if (hash && hash.digestHex() !== checksum) {
            throw new ChecksumError(
              'The downloaded bytes are not those that were stored: their checksum differs',
            );
          }
          release();
          controller.close();
        } catch (error) {
          release();
          await reader.cancel().catch(() => undefined);
          throw error;
        }
      },
      async cancel(reason) {
        release();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** One chunk, or the error of what stopped it. */
async function readWithin(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<ReadableStreamReadResult<Uint8Array>> {
  const guard = new StallGuard(timeoutMs, signal);
  try {
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(guard.signal.reason);
      if (guard.signal.aborted) stop();
      guard.signal.addEventListener('abort', stop, { once: true });
    });
    return await Promise.race([reader.read(), stopped]);
  } catch (error) {
    if (signal.aborted) throw new AbortError('The download was stopped', { cause: signal.reason });
    if (guard.stalled) throw new TimeoutError('stream', timeoutMs);
    throw new ConnectionError('The download broke off', { cause: error });
  } finally {
    guard.stop();
  }
}
