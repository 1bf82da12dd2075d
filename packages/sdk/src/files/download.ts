// Reads a file's response: name, size and checksum from its headers, the bytes as a stream that resumes broken connections
// and verifies the checksum at its end.

import type { StreamedAnswer } from '../call/transport.ts';
import { ChecksumError, ConnectionError, TimeoutError, UsageError } from '../errors.ts';
import type { TransferProgress } from './multipart.ts';
import { StallGuard } from './stall-guard.ts';

export interface DownloadOptions {
  /**
   * Number of bytes at the beginning of the file to skip, because the program already has them. Only a whole file can be
   * verified, so compare `checksum` with that of the first part. Fails with 416 if the file has no more bytes. Default 0.
   */
  readonly offset?: number | undefined;
  /** Check the bytes against the stored SHA-256; the stream ends with a `ChecksumError` if they differ. Default true, without an offset. */
  readonly verify?: boolean | undefined;
  /** Called after each received chunk. */
  readonly onProgress?: ((progress: TransferProgress) => void) | undefined;
}

/** A file that is being downloaded. */
export interface DownloadedFile {
  /** The bytes. Read them to the end or cancel; `new Response(file.stream)` gives text, JSON and bytes. */
  readonly stream: ReadableStream<Uint8Array>;
  /** The stored name: data, not a path. Never write to it unchecked. */
  readonly filename: string;
  readonly contentType: string;
  /** Size of the whole file. Undefined if a proxy changed the encoding. */
  readonly sizeBytes: number | undefined;
  /** SHA-256 as stored, hex; undefined if the response does not have it. */
  readonly checksum: string | undefined;
  readonly requestId: string | undefined;
}

/** Requests the file, or with headers the rest of it. */
type OpenAnswer = (headers: Readonly<Record<string, string>>) => Promise<StreamedAnswer>;

/** Opens a file. `resumes`: how often in a row a broken transfer may resume without receiving a byte. */
export async function openDownload(
  open: OpenAnswer,
  resumes: number,
  options: DownloadOptions = {},
): Promise<DownloadedFile> {
  const { offset = 0, verify = offset === 0, onProgress } = options;
  if (!Number.isSafeInteger(offset) || offset < 0) throw new UsageError('offset must be 0 or more bytes');
  if (verify && offset > 0)
    throw new UsageError('Only a whole file can be verified: leave out verify or offset');
  const opened = await open(offset === 0 ? {} : { range: `bytes=${offset}-` });
  const { headers } = opened.answer;
  const sizeBytes = sizeOf(opened);
  const checksum = checksumOf(headers);
  try {
    if (verify && !checksum) {
      throw new ChecksumError(
        'The server sent no checksum to verify the file with; verify: false accepts the bytes unchecked',
      );
    }
    const hash = verify ? await createSha256() : undefined;
    const transfer = new Transfer(opened, open, {
      offset,
      sizeBytes,
      checksum,
      hash,
      onProgress,
      resumes,
    });
    return {
      stream: transfer.toStream(),
      filename: contentDispositionFilename(headers.get('content-disposition') ?? '') ?? 'download',
      contentType: headers.get('content-type') ?? 'application/octet-stream',
      sizeBytes,
      checksum,
      requestId: headers.get('x-request-id') ?? undefined,
    };
  } catch (error) {
    await bodyOf(opened)
      ?.cancel()
      .catch(() => undefined);
    opened.release();
    throw error;
  }
}

/** The size of the whole file. The response may contain only the end of it. */
function sizeOf({ answer: { status, headers } }: StreamedAnswer): number | undefined {
  if (headers.has('content-encoding')) return undefined;
  const text = status === 206 ? headers.get('content-range')?.split('/')[1] : headers.get('content-length');
  return text && /^\d+$/.test(text) ? Number(text) : undefined;
}

function checksumOf(headers: Headers): string | undefined {
  return /^(?:W\/)?"([0-9a-f]{64})"$/.exec(headers.get('etag') ?? '')?.[1];
}

function bodyOf({ answer }: StreamedAnswer): ReadableStream<Uint8Array> | null {
  const { body } = answer.response;
  // React Native's responses have no stream.
  if (!body) return null;
  if ('getReader' in body) return body as ReadableStream<Uint8Array>;
  return (ReadableStream as unknown as FromIterable).from(body);
}

/** The types of some platforms lack it. */
interface FromIterable {
  from(chunks: object): ReadableStream<Uint8Array>;
}

interface Expected {
  readonly offset: number;
  readonly sizeBytes: number | undefined;
  readonly checksum: string | undefined;
  readonly hash: Sha256 | undefined;
  readonly onProgress: DownloadOptions['onProgress'];
  readonly resumes: number;
}

/** One download, over as many responses as needed. */
class Transfer {
  #source: StreamedAnswer;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #guard: StallGuard;
  readonly #open: OpenAnswer;
  readonly #expected: Expected;
  readonly #isResumable: boolean;
  /** Includes those before the offset. */
  #transferredBytes: number;
  #resumesLeft: number;
  /** Bytes at the beginning of this response that were already delivered. */
  #toSkip: number;

  constructor(opened: StreamedAnswer, open: OpenAnswer, expected: Expected) {
    this.#source = opened;
    this.#reader = readerOf(opened);
    this.#guard = guardOf(opened);
    this.#open = open;
    this.#expected = expected;
    this.#resumesLeft = expected.resumes;
    const { offset, sizeBytes, checksum } = expected;
    this.#transferredBytes = offset;
    this.#toSkip = this.#skipOf(opened);
    this.#isResumable =
      sizeBytes !== undefined &&
      checksum !== undefined &&
      opened.answer.headers.get('accept-ranges') === 'bytes';
  }

  toStream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const chunk = await this.#next();
            if (chunk) controller.enqueue(chunk);
            else controller.close();
          } catch (error) {
            await this.#end(error);
            throw error;
          }
        },
        cancel: (reason) => this.#end(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** The next bytes; undefined after the last, once they are verified. */
  async #next(): Promise<Uint8Array | undefined> {
    const { sizeBytes, checksum, hash, onProgress, resumes } = this.#expected;
    for (;;) {
      try {
        const { done, value } = await this.#read();
        if (done) {
          if (sizeBytes !== undefined && this.#transferredBytes !== sizeBytes) throw this.#brokenOff();
          break;
        }
        const chunk = this.#fresh(value);
        if (chunk.length === 0) continue;
        this.#transferredBytes += chunk.length;
        if (sizeBytes !== undefined && this.#transferredBytes > sizeBytes) {
          throw new ChecksumError(`The download has more than the ${sizeBytes} bytes of the file`);
        }
        this.#resumesLeft = resumes;
        hash?.update(chunk);
        onProgress?.({ transferredBytes: this.#transferredBytes, totalBytes: sizeBytes });
        return chunk;
      } catch (error) {
        if (!this.#mayResume(error)) throw error;
        await this.#resume();
      }
    }
    this.#release();
    if (hash && hash.digestHex() !== checksum) {
      throw new ChecksumError('The downloaded bytes are not those that were stored: their checksum differs');
    }
    return undefined;
  }

  async #read(): Promise<ReadableStreamReadResult<Uint8Array>> {
    const guard = this.#guard;
    guard.moved();
    try {
      return await guard.race(this.#reader.read());
    } catch (error) {
      throw guard.signal.aborted ? guard.signal.reason : this.#brokenOff(error);
    } finally {
      guard.pause();
    }
  }

  #brokenOff(cause?: unknown): ConnectionError {
    const { sizeBytes } = this.#expected;
    const ofSize = sizeBytes === undefined ? '' : ` of ${sizeBytes}`;
    return new ConnectionError(`The download broke off after ${this.#transferredBytes}${ofSize} bytes`, {
      cause,
    });
  }

  #mayResume(error: unknown): boolean {
    if (!this.#isResumable || this.#resumesLeft <= 0) return false;
    return error instanceof ConnectionError || (error instanceof TimeoutError && error.limit === 'stream');
  }

  /** Requests the rest. If the server sends the whole file again, skips the part that was already read. */
  async #resume(): Promise<void> {
    this.#resumesLeft -= 1;
    await this.#end();
    const from = this.#transferredBytes;
    const { checksum } = this.#expected;
    const opened = await this.#open(
      from === 0 ? {} : { range: `bytes=${from}-`, 'if-range': `"${checksum}"` },
    );
    this.#source = opened;
    this.#reader = readerOf(opened);
    this.#guard = guardOf(opened);
    if (checksumOf(opened.answer.headers) !== checksum) {
      throw new ChecksumError('The file was replaced by another while it was downloaded');
    }
    this.#toSkip = this.#skipOf(opened);
  }

  /** How many bytes of a response to skip: none if it holds the rest of the file, those already read if it holds all of it. */
  #skipOf({ answer: { status, headers } }: StreamedAnswer): number {
    const from = this.#transferredBytes;
    if (status !== 206) return from;
    const { sizeBytes } = this.#expected;
    if (headers.get('content-range') === `bytes ${from}-${(sizeBytes ?? 0) - 1}/${sizeBytes}`) return 0;
    throw new ChecksumError('The server continued at another position in the file than requested');
  }

  #fresh(chunk: Uint8Array): Uint8Array {
    const skipped = Math.min(this.#toSkip, chunk.length);
    this.#toSkip -= skipped;
    return skipped === 0 ? chunk : chunk.subarray(skipped);
  }

  #release(): void {
    this.#guard.stop();
    this.#source.release();
  }

  async #end(reason?: unknown): Promise<void> {
    this.#release();
    // A transfer that stalled may never report that it has ended.
    void this.#reader.cancel(reason).catch(() => undefined);
  }
}

function guardOf({ timeoutMs, signal }: StreamedAnswer): StallGuard {
  return new StallGuard(timeoutMs, signal);
}

function readerOf(opened: StreamedAnswer): ReadableStreamDefaultReader<Uint8Array> {
  return (bodyOf(opened) ?? new Blob([]).stream()).getReader();
}

/** The name in the header: `filename*` if present, else `filename`. Undefined if none can be read. */
export function contentDispositionFilename(header: string): string | undefined {
  const parameters = new Map<string, string>();
  const pattern = /;\s*([!#$&+\-.^_`|~\w]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;
  for (const [, name = '', quoted, token] of header.matchAll(pattern)) {
    const value = quoted === undefined ? (token ?? '') : quoted.replace(/\\(.)/g, '$1');
    if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), value);
  }
  return decodeExtended(parameters.get('filename*')) ?? parameters.get('filename');
}

function decodeExtended(value: string | undefined): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/i.exec(value ?? '');
  if (!match) return undefined;
  try {
    return decodeURIComponent(match[1] ?? '');
  } catch {
    return undefined;
  }
}

/** A hash that is being computed. */
interface Sha256 {
  update(bytes: Uint8Array): void;
  /** 64 hex digits; finishes the hash. */
  digestHex(): string;
}

interface NodeCrypto {
  createHash(name: 'sha256'): { update(bytes: Uint8Array): unknown; digest(form: 'hex'): string };
}
type WithBuiltins = { readonly process?: { getBuiltinModule?(name: string): unknown } };

async function createSha256(): Promise<Sha256> {
  const native = (globalThis as WithBuiltins).process?.getBuiltinModule?.('node:crypto') as
    | NodeCrypto
    | undefined;
  if (native) {
    const hash = native.createHash('sha256');
    return { update: (bytes) => void hash.update(bytes), digestHex: () => hash.digest('hex') };
  }
  const { sha256 } = await import('./portable-sha256.ts');
  const hash = sha256.create();
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digestHex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  };
}
