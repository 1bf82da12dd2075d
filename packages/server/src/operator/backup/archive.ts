// The file of a backup: a tar, and behind its end the SHA-256 of every byte before. What is cut off, changed or added
// does not agree with it. Nothing is compressed here: the bytes of files are ciphertext, and rows come compressed.

import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract, pack } from 'tar-stream';
import { OperatorError } from '../operator-error.ts';

/** An entry while an archive is read; its content must be read before the next one. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
}

/** Adds entries to an archive. */
export interface ArchiveWriter {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Adds an entry of a length known before. Errors: when the content has another one. */
  addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/** Backups of version 0.1 are compressed as a whole and end with this entry: the SHA-256 of every other one. */
const checksumEntry = 'checksums.json';
/** The last bytes of the file; programs that read tar ignore what is behind an archive's end. */
const trailer = /^sha256 ([0-9a-f]{64})\n$/;
const trailerBytes = 72;
/** Bytes that are read from a file or written to one at a time. */
const chunkBytes = 1024 * 1024;

/**
 * Writes an archive, mode 0600: whole under its name or not at all. Until then it is `.NAME.PID.part` in the same
 * folder; what a killed process left under such a name is removed.
 * Errors: OperatorError when the file cannot be written, such as on a full disk.
 */
export async function writeArchive(
  file: string,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await removeAbandonedDrafts(file);
  const draft = path.join(path.dirname(file), `${draftPrefix(file)}${process.pid}.part`);
  const archive = pack();
  const output = createWriteStream(draft, { mode: 0o600, flags: 'wx', highWaterMark: chunkBytes });
  let outputError: Error | undefined;
  output.once('error', (error) => {
    outputError = error;
  });

  async function addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>) {
    const { promise: written, resolve, reject } = Promise.withResolvers<void>();
    written.catch(() => undefined);
    const entry = archive.entry({ name, size: sizeBytes, mode: 0o600 }, (error) => {
      if (error) reject(error);
      else resolve();
    });
    // Without a listener, an entry that goes down with the archive ends the process.
    entry.on('error', reject);
    entry.on('close', () => reject(new Error(`${name} was not written to its end`)));
    for await (const chunk of content) {
      if (!entry.write(chunk)) await drained(entry);
    }
    entry.end(undefined);
    await written;
  }
  const add = (name: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    return addStream(name, bytes.length, chunksOf(bytes));
  };

  const writing = pipeline(archive as unknown as Readable, withTrailer, output);
  writing.catch(() => undefined);
  try {
    await fill({ add, addStream });
    archive.finalize();
    await writing;
    const handle = await open(draft, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    archive.destroy();
    await writing.catch(() => undefined);
    await rm(draft, { force: true });
    if (outputError) throw cannotWrite(file, outputError);
    throw error;
  }
}

function draftPrefix(file: string): string {
  return `.${path.basename(file)}.`;
}

/** Removes drafts of this file whose process is gone; one that is still at work keeps its own. */
async function removeAbandonedDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  const prefix = draftPrefix(file);
  for (const name of await readdir(folder)) {
    const [, pid] = name.startsWith(prefix) ? (/^(\d+)\.part$/.exec(name.slice(prefix.length)) ?? []) : [];
    if (pid !== undefined && !isAtWork(Number(pid))) await rm(path.join(folder, name), { force: true });
  }
}

function isAtWork(pid: number): boolean {
  // This process has not begun its draft yet, so one of its number is from an earlier life.
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function cannotWrite(file: string, cause: NodeJS.ErrnoException): OperatorError {
  const reason =
    cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
      ? 'its disk is full: free some space, or name a file on another disk'
      : cause.message;
  return new OperatorError(`cannot write ${file}: ${reason}; nothing was left behind`, 7, { cause });
}

type Drainable = Pick<NodeJS.EventEmitter, 'once' | 'off'>;

/** Resolves when a stream takes more; rejects when it closes instead. */
function drained(entry: Drainable): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => () => {
      entry.off('drain', onDrain);
      entry.off('close', onClose);
      settled();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new Error('the archive was closed')));
    entry.once('drain', onDrain);
    entry.once('close', onClose);
  });
}

/** What passes, and at its end the line that tells it from what was changed since. */
async function* withTrailer(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  yield* hashed(source, hash);
  yield Buffer.from(`sha256 ${hash.digest('hex')}\n`);
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

/**
 * Reads an archive to its end, entry by entry, without its checksums. Errors: OperatorError when it is damaged; that is
 * sure only once the end is reached, so whoever must not act on damaged content reads it twice.
 */
export async function readArchive(
  file: string,
  visit: (entry: ArchiveEntry) => Promise<void>,
): Promise<void> {
  for await (const entry of openArchive(file)) await visit(entry);
}

/** The entries of an archive, as {@link readArchive} reads them. */
export async function* openArchive(file: string): AsyncGenerator<ArchiveEntry> {
  try {
    if (await isCompressed(file)) yield* readCompressed(file);
    else yield* readWithTrailer(file);
  } catch (error) {
    throw isDamage(error) ? damaged(file, error) : error;
  }
}

async function* readWithTrailer(file: string): AsyncGenerator<ArchiveEntry> {
  const { size } = await stat(file);
  const end = size - trailerBytes;
  const [, expected] = trailer.exec(end > 0 ? await readText(file, end, trailerBytes) : '') ?? [];
  if (expected === undefined) throw new DamagedArchiveError('its end is missing');
  const hash = createHash('sha256');
  const entries = extract();
  const source = createReadStream(file, { highWaterMark: chunkBytes, end: end - 1 });
  const reading = pipeline(source, (bytes: AsyncIterable<Buffer>) => hashed(bytes, hash), entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const content = entry as unknown as AsyncIterable<Buffer>;
    yield { name: entry.header.name, content };
    entry.resume();
  }
  await reading;
  if (hash.digest('hex') !== expected) throw new DamagedArchiveError('it is not what was written');
}

async function* readCompressed(file: string): AsyncGenerator<ArchiveEntry> {
  const seen: Record<string, string> = {};
  let checksums: Record<string, string> | undefined;
  const entries = extract();
  const reading = pipeline(createReadStream(file), createGunzip(), entries);
  reading.catch(() => undefined);
  for await (const entry of entries) {
    const { name } = entry.header;
    const bytes = entry as unknown as AsyncIterable<Buffer>;
    if (checksums || name in seen) throw new DamagedArchiveError(`${name} does not belong there`);
    if (name === checksumEntry) {
      checksums = JSON.parse((await collect(bytes)).toString()) as Record<string, string>;
      continue;
    }
    const hash = createHash('sha256');
    const content = hashed(bytes, hash);
    yield { name, content };
    for await (const _ of content);
    seen[name] = hash.digest('hex');
  }
  await reading;
  if (!checksums) throw new DamagedArchiveError('its end is missing');
  const names = new Set([...Object.keys(checksums), ...Object.keys(seen)]);
  const wrong = [...names].find((name) => seen[name] !== checksums?.[name]);
  if (wrong !== undefined) throw new DamagedArchiveError(`${wrong} is not what was written`);
}

async function readText(file: string, position: number, length: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
    return buffer.subarray(0, bytesRead).toString('latin1');
  } finally {
    await handle.close();
  }
}

async function isCompressed(file: string): Promise<boolean> {
  return (await readText(file, 0, 2)) === '\x1f\x8b';
}

class DamagedArchiveError extends Error {}

/** Errors of the readers: the archive's fault, not that of whoever visits its entries. */
function isDamage(error: unknown): boolean {
  if (error instanceof DamagedArchiveError || error instanceof SyntaxError) return true;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return (
    /^Z_|ERR_STREAM_PREMATURE_CLOSE/.test(code) || /tar|unexpected end|Unexpected end/.test(error.message)
  );
}

function damaged(file: string, cause: unknown): OperatorError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OperatorError(`${file} is damaged or no backup (${reason}); nothing was restored`, 7, { cause });
}

async function* hashed(
  source: AsyncIterable<Buffer>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    hash.update(chunk);
    yield chunk;
  }
}

/** The whole content of an entry. */
export async function collect(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
