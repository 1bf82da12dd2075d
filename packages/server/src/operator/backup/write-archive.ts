// Writes the file of a backup: complete under its name, or not at all. It leaves room on the disk, so that a server with its data
// there can still write.

import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { constants } from 'node:os';
import path from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { OperatorError } from '../../infra/app-error.ts';
import { giveToFolderOwner } from '../../infra/ownership.ts';
import { megabytes } from '../print.ts';
import { chunkBytes, formatTrailer, hashed, manifestEntry } from './backup-format.ts';

export interface ArchiveWriter {
  add(name: string, content: Buffer | string): Promise<void>;
  /** Adds an entry of a known length. Errors: if the content has another length. */
  addStream(name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>): Promise<void>;
}

/**
 * Writes an archive, mode 0600: complete under its name or not at all. Until then it is a partial file in the same folder, which
 * is removed if the work fails or a signal ends the process. Partial files of killed processes are removed too. Errors:
 * OperatorError if the file cannot be written, such as on a disk that fills up; errors of `fill` as they are.
 */
export async function writeArchive(
  file: string,
  fill: (writer: ArchiveWriter) => Promise<void>,
): Promise<void> {
  await removeAbandonedDrafts(file);
  const draft = draftOf(file);
  const archive = pack();
  const output = createWriteStream(draft, { mode: 0o600, flags: 'wx', highWaterMark: chunkBytes });
  output.once('open', (descriptor: number) => giveToFolderOwner(draft, descriptor));
  const forgetSignals = removeOnSignal(draft);
  const folder = path.dirname(file);

  const addStream = (name: string, sizeBytes: number, content: AsyncIterable<Uint8Array>) =>
    pipeline(content, archive.entry({ name, size: sizeBytes, mode: 0o600 }) as unknown as Writable);
  const add = (name: string, content: Buffer | string) => {
    const bytes = Buffer.from(content);
    return addStream(name, bytes.length, Readable.from(bytes.length > 0 ? [bytes] : []));
  };

  let outputFailure: { error: NodeJS.ErrnoException } | undefined;
  const writing = pipeline(
    archive as unknown as Readable,
    withTrailer,
    (bytes: AsyncIterable<Buffer>) => leavingSpare(folder, bytes),
    output,
  );
  writing.catch((error) => {
    outputFailure = { error };
  });
  try {
    await fill({ add, addStream });
    archive.finalize();
    await writing;
    const handle = await open(draft, 'r');
    await handle.sync().finally(() => handle.close());
    await rename(draft, file);
  } catch (error) {
    // Before the archive is destroyed, which ends the writing with its own error.
    const failure = outputFailure;
    archive.destroy();
    await writing.catch(() => undefined);
    await rm(draft, { force: true });
    throw failure && !(error instanceof OperatorError) ? cannotWrite(file, failure.error) : error;
  } finally {
    forgetSignals();
  }
}

function cannotWrite(file: string, cause: NodeJS.ErrnoException): OperatorError {
  const reason =
    cause.code === 'ENOSPC' || cause.code === 'EDQUOT'
      ? 'its disk is full: free some space, or name a file on another disk'
      : cause.message;
  return new OperatorError(`cannot write ${file}: ${reason}; nothing was left behind`, 7, { cause });
}

/** Passes bytes through and adds the line with their checksum. */
async function* withTrailer(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  yield* hashed(source, hash);
  yield Buffer.from(formatTrailer(hash));
}

/** A backup never takes the last 64 MiB of a disk, or the last twentieth of a small one. */
const spareBytes = 64 * 1024 * 1024;
const spareShare = 0.05;

/** Errors: OperatorError when a file of this size does not fit into the folder and leave some room. */
export async function requireSpace(folder: string, sizeBytes: number): Promise<void> {
  const available = await availableBytes(folder);
  if (sizeBytes <= available) return;
  throw new OperatorError(
    `the backup needs more than ${megabytes(sizeBytes)} in ${folder}, but only ${megabytes(Math.max(0, available))} can be used there: ` +
      'free some space, or name a folder on another disk',
  );
}

/** Passes bytes through to a file in the folder. Throws ENOSPC before the disk is full. */
async function* leavingSpare(folder: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let unchecked = chunkBytes;
  for await (const chunk of source) {
    unchecked += chunk.length;
    if (unchecked >= chunkBytes) {
      unchecked = 0;
      if ((await availableBytes(folder)) < chunk.length) {
        throw Object.assign(new Error('no space is left'), { code: 'ENOSPC' });
      }
    }
    yield chunk;
  }
}

async function availableBytes(folder: string): Promise<number> {
  const { bavail, blocks, bsize } = await statfs(folder);
  // Some network file systems do not report free space.
  if (blocks === 0) return Number.POSITIVE_INFINITY;
  return bavail * bsize - Math.min(spareBytes, blocks * bsize * spareShare);
}

const draftName = /^\.(.+)\.(\d+)\.part$/;
/** A partial file is written to all the time, so after an hour without a write its process id belongs to another process. */
const longestPauseMs = 3_600_000;

/** The partial file in which this process writes the backup `file`: `.NAME.PID.part` beside it. */
function draftOf(file: string): string {
  return path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.part`);
}

/** Removes the partial files of any backup in the folder of `file` whose process is gone. */
async function removeAbandonedDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await readdir(folder)) {
    const [, target, pid] = draftName.exec(name) ?? [];
    if (target === undefined) continue;
    const draft = path.join(folder, name);
    const isOurs = target === path.basename(file) || (await beginsLikeBackup(draft));
    if (isOurs && !(await isAtWork(Number(pid), draft))) await rm(draft, { force: true });
  }
}

/** Other programs have files called `.part` too. */
async function beginsLikeBackup(draft: string): Promise<boolean> {
  const handle = await open(draft, 'r').catch(() => undefined);
  if (!handle) return false;
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(manifestEntry.length), 0);
    return buffer.toString('latin1', 0, bytesRead) === manifestEntry;
  } finally {
    await handle.close();
  }
}

async function isAtWork(pid: number, draft: string): Promise<boolean> {
  // This process has not begun its partial file yet, so one with its process id is from an earlier process.
  if (pid === process.pid || !isAlive(pid)) return false;
  const details = await stat(draft).catch(() => undefined);
  return details !== undefined && Date.now() - details.mtimeMs < longestPauseMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Removes the partial file when a signal ends the process. Returns the function that ends this watch. */
function removeOnSignal(draft: string): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const end = (signal: NodeJS.Signals) => {
    rmSync(draft, { force: true });
    process.stderr.write('envsnap-server: interrupted; nothing was left behind\n');
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, end);
  return () => {
    for (const signal of signals) process.off(signal, end);
  };
}
