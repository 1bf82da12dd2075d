// Where a document may be written: what a repository or another account put there must not lead it elsewhere.

import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../errors/cli-error.ts';
import { isOwnPlace } from '../own-place.ts';

/**
 * Throws where `file` would be written through a link, a pipe or a device that a stranger chose: one in a work tree, or in a
 * folder where others can put files. Those of `/dev` and of the account's own folders are what the caller named. Exit code 2.
 */
export function refusePlanted(file: string): void {
  const folder = path.dirname(path.resolve(file));
  const workTree = workTreeOf(folder);
  if (workTree !== undefined) refuseLinkedFolders(workTree, folder);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined || status.isFile() || status.isDirectory()) return;
  if (workTree === undefined && (process.getuid === undefined || isOwnPlace(folder))) return;
  const kind = status.isSymbolicLink() ? 'a link' : 'a pipe or a device';
  throw refusal(`${file} is ${kind}, which somebody else may have put there`);
}

/** Throws where a folder between the two is a link: what is written below it would land somewhere else. Exit code 2. */
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

/** The nearest folder, from this one upwards, that has a `.git`. */
function workTreeOf(folder: string): string | undefined {
  for (let place = folder; ; place = path.dirname(place)) {
    if (existsSync(path.join(place, '.git'))) return place;
    if (place === path.dirname(place)) return undefined;
  }
}
