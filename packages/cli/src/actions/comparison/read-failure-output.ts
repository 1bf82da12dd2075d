// Reads the output of a failure for `--failure`, from a file or standard input. Keeps the beginning and the end.

import { open, stat } from 'node:fs/promises';
import { type Failure, failureBounds, readFailure } from '@envsnap/compare/workspace';
import { CliError, exitCodes, refusalReason, usageError } from '../../errors/cli-error.ts';
import { shellPipe, textEncodingOf } from '../documents/read-input-file.ts';

/**
 * Reads a file, or standard input for `-`. A log of any size costs the same. Exit code 4 if there is no file, 2 if it is
 * unreadable.
 */
export async function readFailureOutput(file: string): Promise<Failure> {
  try {
    return file === '-' ? await ofStream(process.stdin) : await ofFile(file);
  } catch (error) {
    if (error instanceof CliError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new CliError(`${file} cannot be read: ${refusalReason(code)}`, {
      ...(code === 'ENOENT' ? { code: 'file_unreadable', exitCode: exitCodes.notFound } : { code: 'usage' }),
      hint: 'Give --failure the file that the output was written to, or - for standard input.',
      cause: error,
    });
  }
}

async function ofFile(file: string): Promise<Failure> {
  if ((await stat(file)).isFIFO() && !shellPipe.test(file))
    throw usageError(
      `${file}: this is a pipe, which may never end`,
      'Give a file, or <(command) in the shell.',
    );
  const handle = await open(file);
  try {
    const status = await handle.stat();
    const { fromStart, fromEnd } = failureBounds;
    // Pipes (such as <(command) in a shell) and terminals have no positions; and a device may have no end.
    if (!status.isFile()) {
      const bounded = status.isFIFO() ? {} : { end: fromStart + fromEnd };
      return await ofStream(handle.createReadStream({ autoClose: false, ...bounded }));
    }
    const part = async (length: number, position: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
      return buffer.subarray(0, bytesRead);
    };
    const isWhole = status.size <= fromStart + fromEnd;
    const head = await part(isWhole ? fromStart + fromEnd : fromStart, 0);
    const encoding = textEncodingOf(head);
    if (isWhole) return readFailure(head.toString(encoding));
    const tail = await part(fromEnd, status.size - fromEnd);
    const text = `${head.toString(encoding)}\n${tail.toString(encoding)}`;
    return readFailure(text.slice(-(fromStart + fromEnd)), true);
  } finally {
    await handle.close();
  }
}

async function ofStream(stream: AsyncIterable<Buffer | string>): Promise<Failure> {
  const { fromStart, fromEnd } = failureBounds;
  let head = '';
  let tail = '';
  let isCut = false;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of stream) {
    if (typeof chunk !== 'string')
      decoder ??= new TextDecoder(textEncodingOf(chunk) === 'utf8' ? 'utf-8' : 'utf-16le');
    const text = typeof chunk === 'string' ? chunk : (decoder?.decode(chunk, { stream: true }) ?? '');
    const room = fromStart - head.length;
    if (room > 0) head += text.slice(0, room);
    tail += room > 0 ? text.slice(room) : text;
    if (tail.length > 2 * fromEnd) {
      tail = tail.slice(-fromEnd);
      isCut = true;
    }
  }
  return readFailure(head + tail, isCut);
}
