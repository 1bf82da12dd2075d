// Writes the file of a backup: whole under its name, or not at all.

import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { OperatorError } from '../operator-error.ts';
import { chunkBytes, formatTrailer, hashed } from './archive-format.ts';

/** Adds entries to an archive. */
export interface ArchiveWriter {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Adds an entry of a length known before. Errors: when the content has another one. */
  addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

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
  yield Buffer.from(formatTrailer(hash));
}

async function* chunksOf(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}
