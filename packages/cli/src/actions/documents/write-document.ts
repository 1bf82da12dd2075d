// Writes a document to a file, whole or not at all.

import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../../errors/cli-error.ts';
import { exitCodes } from '../../errors/exit-codes.ts';
import { refusalReason } from '../../errors/refusal-reason.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { refusePlanted } from './refuse-links.ts';

/** Errors that another name would avoid; a full disk is not wrong usage. */
const namingErrors = new Set('ENOENT ENOTDIR EISDIR EACCES EPERM EROFS ENAMETOOLONG ELOOP'.split(' '));

/**
 * Writes text to a file that only the user can read (unless a mode is given), by way of a file beside it. Devices and pipes are
 * written to directly, where nobody else put them. Exit code 2 when the name is wrong or refused, 7 when the device fails.
 */
export async function writeDocument(file: string, text: string, mode = 0o600): Promise<void> {
  refusePlanted(file);
  try {
    if (await isSpecial(file)) {
      const handle = await open(file, 'w');
      await handle.writeFile(text).finally(() => handle.close());
      return;
    }
    await replaceFile(file, text, mode);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    const named = namingErrors.has(code);
    const reason = code === 'ENOENT' ? 'there is no such folder' : refusalReason(code);
    throw new CliError(`${file} cannot be written: ${reason}`, {
      code: 'output_unwritable',
      exitCode: named ? exitCodes.usage : exitCodes.failed,
      cause: error,
    });
  }
}

async function isSpecial(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && !status.isFile();
}

async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  const forget = onInterrupt(() => rm(partial, { force: true }));
  try {
    const handle = await open(partial, 'wx', mode & 0o777);
    await handle.writeFile(text).finally(() => handle.close());
    await rename(partial, file);
  } finally {
    forget();
    await rm(partial, { force: true });
  }
}
