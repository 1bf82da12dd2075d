// Reads a file that a person, a policy or a repository names. It must be a regular file of a reasonable size, not a device.

import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CliError, exitCodes, refusalReason } from '../../errors/cli-error.ts';

interface InputFile {
  /** Code of the error if the file cannot be read, such as `policy_unreadable`. */
  readonly errorCode: string;
  readonly maxBytes: number;
}

/** Opening a pipe must not wait for its other end. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
/** The path of `<(command)` in a shell. */
export const shellPipe = /^\/(?:dev|proc\/self)\/fd\/\d+$|^\/dev\/stdin$/;

/** Refuses pipes, devices and folders, except `<(command)` of a shell. Exit code 4 if the file does not exist, else 2. */
export async function readInputFile(path: string, { errorCode, maxBytes }: InputFile): Promise<string> {
  const refuse = (reason: string, cause?: unknown): CliError =>
    new CliError(`${path}: ${reason}`, { code: errorCode, exitCode: exitCodes.usage, cause });
  let handle: FileHandle | undefined;
  try {
    if (shellPipe.test(path))
      return await readStream(createReadStream(path), maxBytes, () => refuse(tooLarge(maxBytes)));
    handle = await open(path, openFlags);
    const status = await handle.stat();
    if (!status.isFile())
      throw refuse(status.isDirectory() ? 'this is a folder' : 'this is not a regular file');
    // A file may grow while it is read, so the bytes are counted as they arrive.
    const bytes = Buffer.alloc(Math.min(status.size, maxBytes) + 1);
    let length = 0;
    while (length < bytes.length) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (status.size > maxBytes || length > maxBytes) throw refuse(tooLarge(maxBytes));
    return decodeInput(bytes.subarray(0, length));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw refuse(`it cannot be read: ${refusalReason(code)}`, error);
    throw new CliError(`${path}: there is no such file`, {
      code: errorCode,
      exitCode: exitCodes.notFound,
      cause: error,
    });
  } finally {
    await handle?.close();
  }
}

/** Keeps the byte order mark. */
function decodeInput(bytes: Buffer): string {
  return bytes.toString(textEncodingOf(bytes));
}

/** By a file's first bytes: Windows PowerShell's `>` writes UTF-16 with a byte order mark; everything else is UTF-8. */
export function textEncodingOf(bytes: Uint8Array): 'utf16le' | 'utf8' {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8';
}

function tooLarge(maxBytes: number): string {
  return `it is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB`;
}

/** The text of a pipe, read as it arrives, so that Ctrl-C works while the writer is slow. */
export async function readStream(
  stream: AsyncIterable<Buffer | string>,
  maxBytes: number,
  refuse: () => CliError,
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw refuse();
    chunks.push(chunk);
  }
  return decodeInput(Buffer.concat(chunks));
}
