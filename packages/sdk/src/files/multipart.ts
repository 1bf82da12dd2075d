// Builds the multipart/form-data body of an upload, field `file`, as a stream whose memory does not grow with the file.
// RFC 7578; quoted strings as RFC 2183.

import { fileNameLength } from '../contract/limits.ts';
import { EnvsnapError, UsageError } from '../errors.ts';
import { currentRuntime, randomId } from '../runtime.ts';
import {
  type ByteStream,
  type Content,
  normalizeContent,
  openContent,
  sourceError,
  wrongSize,
} from './upload-content.ts';

/** How much of a file was transferred. */
export interface TransferProgress {
  readonly transferredBytes: number;
  /** Undefined when the size is not known. */
  readonly totalBytes: number | undefined;
}

export interface FileUpload {
  /**
   * The bytes. A `Blob` or `File`, bytes, text, and a function that opens a new stream at each call can be read again and
   * are retried. A stream is read once and never retried. A stream that was already read fails.
   */
  readonly content:
    | Blob
    | Uint8Array
    | ArrayBuffer
    | string
    | ByteStream
    | (() => ByteStream | Promise<ByteStream>);
  /** Name of 1 to 255 characters without control characters. Default: the name of a `File`. */
  readonly filename?: string | undefined;
  /** Default: the type of a `Blob`, else `application/octet-stream`. */
  readonly contentType?: string | undefined;
  /** Size of a stream in bytes, if known: the body is then sent with its length. A wrong size fails the upload. */
  readonly sizeBytes?: number | undefined;
  /** Called after each chunk that was passed on for sending. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

const encoder = new TextEncoder();

/** Checks a file and prepares its body. Throws `UsageError`. */
export function multipartSource(file: FileUpload): BodySource {
  const content = normalizeContent(file.content);
  const filename =
    file.filename ?? (typeof File !== 'undefined' && content instanceof File ? content.name : undefined);
  const type =
    file.contentType || (content instanceof Blob ? content.type : '') || 'application/octet-stream';
  // One boundary for all attempts: the same idempotency key must come with the same bytes.
  const boundary = `envsnap-${randomId()}`;
  const head = encoder.encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoteFilename(filename)}"\r\nContent-Type: ${checkContentType(type)}\r\n\r\n`,
  );
  const tail = encoder.encode(`\r\n--${boundary}--\r\n`);
  const sizeBytes = content instanceof Blob ? content.size : checkSize(file.sizeBytes);
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  const report = (transferredBytes: number, totalBytes = sizeBytes) =>
    file.onProgress?.({ transferredBytes, totalBytes });
  if (!sendsStreams()) {
    return blobSource({ content, head, tail, sizeBytes, headers, report });
  }
  const length = sizeBytes === undefined ? {} : lengthHeader(head.length + sizeBytes + tail.length);
  return {
    repeatable: content instanceof Blob || typeof content === 'function',
    start(observer): AttemptBody {
      const chunks = assemble(head, openContent(content), tail, sizeBytes, (transferred) => {
        observer.moved();
        report(transferred);
      });
      const close = () => void chunks.return(undefined).catch(() => undefined);
      return {
        body: toStream(chunks, observer),
        headers: { ...headers, ...length },
        sent: () => undefined,
        close,
      };
    },
  };
}

/** Not for browsers: their fetch sends streams over HTTP/2 only, or not at all. */
function sendsStreams(): boolean {
  const runtime = currentRuntime();
  return runtime !== 'browser' && runtime !== 'unknown';
}

/** The other runtimes send a stream in chunks, whatever the header says. */
function lengthHeader(length: number): Record<string, string> {
  return currentRuntime() === 'node' ? { 'content-length': String(length) } : {};
}

async function* assemble(
  head: Uint8Array,
  content: AsyncIterable<Uint8Array>,
  tail: Uint8Array,
  sizeBytes: number | undefined,
  report: (transferredBytes: number) => void,
): AsyncGenerator<Uint8Array> {
  yield head;
  let transferred = 0;
  for await (const chunk of content) {
    if (!(chunk instanceof Uint8Array)) throw new EnvsnapError('A stream to upload must give bytes or text');
    if (sizeBytes !== undefined && transferred + chunk.length > sizeBytes) throw wrongSize(sizeBytes);
    if (chunk.length === 0) continue;
    yield chunk;
    transferred += chunk.length;
    report(transferred);
  }
  if (sizeBytes !== undefined && transferred !== sizeBytes) throw wrongSize(sizeBytes);
  yield tail;
}

function toStream(chunks: AsyncGenerator<Uint8Array>, observer: BodyObserver): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          observer.moved();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          // fetch reports a failed body as a failed connection, so the failure is also kept here.
          observer.failed(sourceError(error));
          throw error;
        }
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

function quoteFilename(filename: unknown): string {
  if (typeof filename !== 'string' || filename === '' || [...filename].length > fileNameLength) {
    throw new UsageError(`filename must have 1 to ${fileNameLength} characters`);
  }
  for (let index = 0; index < filename.length; index += 1) {
    const code = filename.charCodeAt(index);
    if (code < 0x20 || code === 0x7f) throw new UsageError('filename must not contain control characters');
  }
  return filename.replace(/["\\]/g, '\\$&');
}

function checkContentType(type: string): string {
  if (!/^[!-~]+(?: [!-~]+)*$/.test(type) || type.length > 255) {
    throw new UsageError('contentType must be a media type, such as application/json');
  }
  return type;
}

function checkSize(sizeBytes: number | undefined): number | undefined {
  if (sizeBytes !== undefined && !(Number.isSafeInteger(sizeBytes) && sizeBytes >= 0)) {
    throw new UsageError('sizeBytes must be a whole number of bytes');
  }
  return sizeBytes;
}

export interface AttemptBody {
  readonly body: Blob | ReadableStream<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Called with the number of bytes of a `Blob` that were sent, if the platform reports it. */
  readonly sent: (bytes: number) => void;
  /** Stops reading. */
  readonly close: () => void;
}

/** Events that a body reports while it is being sent. */
interface BodyObserver {
  /** Some bytes were taken. */
  readonly moved: () => void;
  /** Its source failed: the attempt fails with this error and is not retried. */
  readonly failed: (error: EnvsnapError) => void;
}

/** A body that is built for every attempt. */
export interface BodySource {
  readonly repeatable: boolean;
  readonly start: (observer: BodyObserver) => AttemptBody | Promise<AttemptBody>;
}

interface BlobParts {
  readonly content: Content;
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
  readonly sizeBytes: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly report: (transferredBytes: number, totalBytes?: number) => void;
}

/** The body as one Blob, which browsers keep outside the program's memory. A stream is read once, for all attempts. */
function blobSource({ content, head, tail, sizeBytes, headers, report }: BlobParts): BodySource {
  let collected: Promise<Blob> | undefined;
  return {
    repeatable: true,
    async start(observer): Promise<AttemptBody> {
      collected ??=
        content instanceof Blob ? Promise.resolve(content) : collect(content, sizeBytes, observer);
      const blob = await collected.catch((error: unknown) => {
        throw sourceError(error);
      });
      const sent = (bytes: number) => {
        observer.moved();
        const transferred = Math.min(Math.max(0, bytes - head.length), blob.size);
        if (transferred > 0) report(transferred, blob.size);
      };
      return { body: new Blob([head, blob, tail]), headers, sent, close: () => undefined };
    },
  };
}

async function collect(
  content: Exclude<Content, Blob>,
  sizeBytes: number | undefined,
  observer: BodyObserver,
): Promise<Blob> {
  const parts: BlobPart[] = [];
  let bytes = 0;
  for await (const chunk of openContent(content)) {
    observer.moved();
    bytes += chunk.length;
    if (sizeBytes !== undefined && bytes > sizeBytes) throw wrongSize(sizeBytes);
    parts.push(new Blob([chunk as Uint8Array<ArrayBuffer>]));
  }
  if (sizeBytes !== undefined && bytes !== sizeBytes) throw wrongSize(sizeBytes);
  return new Blob(parts);
}
