// Uploads and downloads files as streams, so that memory does not grow with the file.

import { createReadStream, createWriteStream } from 'node:fs';
import { link, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { DownloadedFile, EnvSnap, FileUpload } from '@envsnap/sdk';
import { shellWord, visible } from '@envsnap/shared/text/visible';
import { CliError, exitCodes, refusalReason } from '../../errors/cli-error.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { refusePlantedFile } from '../documents/write-document.ts';

type OnBytes = (done: number, total: number | undefined) => void;

/** Uploads a file, or standard input for `-`. Opens the file before it calls the server. Exit code 4 if there is none. */
export async function uploadFile(
  connect: () => Promise<EnvSnap>,
  source: string,
  {
    name,
    contentType,
    onBytes,
  }: { name: string | undefined; contentType: string | undefined; onBytes: OnBytes },
) {
  const rest: Pick<FileUpload, 'contentType' | 'onProgress'> = {
    contentType,
    onProgress: ({ transferredBytes, totalBytes }) => onBytes(transferredBytes, totalBytes),
  };
  if (source === '-')
    return (await connect()).files.upload({ content: process.stdin, filename: name ?? 'stdin', ...rest });
  const { size: sizeBytes } = await statSource(source);
  const client = await connect();
  return client.files.upload({
    content: () => createReadStream(source),
    sizeBytes,
    filename: name ?? path.basename(path.resolve(source)),
    ...rest,
  });
}

async function statSource(source: string) {
  const status = await stat(source).catch((error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'ENOENT' ? 'there is no such file' : `it cannot be read: ${refusalReason(error.code)}`;
    throw new CliError(`${source}: ${reason}`, {
      code: 'file_unreadable',
      exitCode: error.code === 'ENOENT' ? exitCodes.notFound : exitCodes.failed,
      cause: error,
    });
  });
  if (status.isFile()) return status;
  throw new CliError(`${source} is not a regular file`, {
    code: 'not_a_file',
    hint: 'To upload what a program writes, pipe it: program | envsnap file upload - --name NAME',
  });
}

/** Where a download goes: `-` for standard output, a file, a folder, or undefined for the stored name in this folder. */
interface DownloadTarget {
  readonly output: string | undefined;
  readonly force: boolean;
}

/** Downloads a file and verifies its checksum. Returns the path that was written. */
export async function downloadFile(
  client: EnvSnap,
  id: string,
  target: DownloadTarget,
  onBytes: OnBytes,
): Promise<{ file: DownloadedFile; savedAs: string | null }> {
  const file = await client.files.download(id, {
    verify: true,
    onProgress: ({ transferredBytes, totalBytes }) => onBytes(transferredBytes, totalBytes),
  });
  const bytes = Readable.fromWeb(file.stream as Parameters<typeof Readable.fromWeb>[0]);
  if (target.output === '-') {
    await pipeline(bytes, process.stdout, { end: false });
    return { file, savedAs: null };
  }
  try {
    const savedAs = await chooseFile(target, file.filename);
    await saveNew(bytes, savedAs, target.force);
    return { file, savedAs };
  } finally {
    bytes.destroy();
  }
}

async function chooseFile(target: DownloadTarget, storedName: string): Promise<string> {
  const { output, force } = target;
  const isFolder = output !== undefined && (await stat(output).catch(() => undefined))?.isDirectory();
  const named = output !== undefined && !isFolder;
  const stored = localFileName(storedName);
  // Shells, git and other tools read files with such names, so a server must not choose one.
  if (!named && stored.startsWith('.')) {
    throw new CliError(
      `the file is called ${visible(stored)} on the server; envsnap writes to a name that begins with a dot only if you name it yourself`,
      {
        code: 'file_name_refused',
        hint: `--output ${shellWord(path.join(output ?? '.', stored))} writes it under that name, --output - to standard output.`,
      },
    );
  }
  const file = named ? output : path.join(output ?? '.', stored);
  if (!force && (await stat(file).catch(() => undefined))) throw exists(file);
  return file;
}

function exists(file: string): CliError {
  return new CliError(`${file} exists`, {
    code: 'file_exists',
    hint: '--force replaces it; --output writes elsewhere.',
  });
}

/** Writes to a file beside the target, and renames it only if all bytes have arrived and are correct. */
async function saveNew(bytes: Readable, file: string, force: boolean): Promise<void> {
  refusePlantedFile(file);
  const partial = path.join(path.dirname(file), `.${path.basename(file).slice(0, 200)}.${process.pid}.part`);
  const forget = onInterrupt(() => rm(partial, { force: true }));
  try {
    await pipeline(bytes, createWriteStream(partial, { flags: 'wx', mode: 0o600 }));
    if (force) await rename(partial, file);
    else await nameExclusively(partial, file);
  } finally {
    forget();
    await rm(partial, { force: true });
  }
}

/** Renames a file, but never replaces another one. */
async function nameExclusively(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists(file);
    // For file systems without hard links.
    if (await stat(file).catch(() => undefined)) throw exists(file);
    await rename(partial, file);
  }
}

const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$/i;

/**
 * The last part of a name, without anything that a file system or terminal could misread: separators, control characters, marks
 * that reorder text, characters that Windows forbids, device names, and dots and spaces at the end. `download` if nothing is
 * left.
 */
export function localFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const cleaned = last
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\u{2028}\u{2029}<>:"|?*]/gu, '_')
    .replace(/(?<![. ])[. ]+$/, '')
    .trimStart();
  if (cleaned === '' || /^_+$/.test(cleaned)) return 'download';
  return reservedOnWindows.test(cleaned) ? `_${cleaned}` : cleaned;
}
