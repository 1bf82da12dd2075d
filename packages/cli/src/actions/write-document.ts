// Writes a document to a file, whole or not at all; `-` is standard output.

import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../cli-error.ts';
import { onInterrupt } from '../interrupt.ts';

/**
 * Writes text to a file that only the user can read, by way of a file beside it. Devices and pipes are written to
 * directly. Exit code 2 when it cannot be written.
 */
export async function writeDocument(file: string, text: string): Promise<void> {
  if (file === '-') {
    process.stdout.write(text);
    return;
  }
  try {
    if (await isSpecial(file)) {
      const handle = await open(file, 'w');
      await handle.writeFile(text).finally(() => handle.close());
      return;
    }
    await replaceFile(file, text);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === undefined) throw error;
    throw new CliError(`${file} cannot be written: ${code}`, {
      code: 'output_unwritable',
      cause: error,
    });
  }
}

async function isSpecial(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && !status.isFile();
}

async function replaceFile(file: string, text: string): Promise<void> {
  const partial = path.join(path.dirname(file), `.${path.basename(file)}.${process.pid}.tmp`);
  const forget = onInterrupt(() => rm(partial, { force: true }));
  try {
    const handle = await open(partial, 'wx', 0o600);
    await handle.writeFile(text).finally(() => handle.close());
    await rename(partial, file);
  } finally {
    forget();
    await rm(partial, { force: true });
  }
}
