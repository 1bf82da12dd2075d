// Writes a document to a file, completely or not at all.

import { constants, lstatSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { CliError, exitCodes, refusalReason } from '../../errors/cli-error.ts';
import { workTreeOf } from '../../runs/find-program.ts';
import { onInterrupt } from '../../terminal/interrupt.ts';
import { isOwnPlace } from '../own-place.ts';

/** Errors that another file name would avoid. They are usage errors, unlike a full disk. */
const namingErrors = new Set('ENXIO ENOENT ENOTDIR EISDIR EACCES EPERM EROFS ENAMETOOLONG ELOOP'.split(' '));

/**
 * Writes text to a file that only the user can read (unless a mode is given), through a temporary file beside it. Writes to
 * devices and pipes directly, unless somebody else put them there. Exit code 2 for a wrong or refused name, 7 for a failing
 * device.
 */
export async function writeDocument(file: string, text: string, mode = 0o600): Promise<void> {
  refusePlantedFile(file);
  try {
    if (await isSpecial(file)) {
      // Fails if nobody reads the pipe; opening it in the usual way would wait for a reader.
      const probe = await open(file, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
      const handle = await open(file, 'w').finally(() => probe.close());
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

/**
 * Throws if `file` would be written through a link, a pipe or a device that a stranger may have chosen: one in a work tree, or in
 * a folder where others can put files. Those in `/dev` and in the account's own folders are trusted. Exit code 2.
 */
export function refusePlantedFile(file: string): void {
  const folder = path.dirname(path.resolve(file));
  const workTree = outermostWorkTree(folder);
  if (workTree !== undefined) refuseLinkedFolders(workTree, folder);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined || status.isFile() || status.isDirectory()) return;
  if (workTree === undefined && (process.getuid === undefined || isOwnPlace(folder))) return;
  const kind = status.isSymbolicLink() ? 'a link' : 'a pipe or a device';
  throw refusal(`${file} is ${kind}, which somebody else may have put there`);
}

/** A linked folder of a checkout may lead to another checkout, and a `.git` may be in any folder. */
function outermostWorkTree(folder: string): string | undefined {
  const workTree = workTreeOf(folder);
  if (workTree === undefined || path.dirname(workTree) === workTree) return workTree;
  return outermostWorkTree(path.dirname(workTree)) ?? workTree;
}

/** Throws if a folder between the two is a link, because the file would be written elsewhere. Exit code 2. */
export function refuseLinkedFolders(root: string, folder: string): void {
  const parts = path.relative(root, folder).split(path.sep);
  for (const [index] of parts.entries()) {
    const place = path.join(root, ...parts.slice(0, index + 1));
    if (place !== root && lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink())
      throw refusal(`${place} is a link to another folder`);
  }
}

function refusal(message: string): CliError {
  return new CliError(`${message}: nothing is written through it`, {
    code: 'output_refused',
    hint: 'Name a file in a folder outside of the checkout, or remove what is there.',
  });
}
