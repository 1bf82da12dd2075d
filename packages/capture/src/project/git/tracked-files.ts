// Which files of a folder git tracks: rules of .gitignore do not apply to those.

import type { CapturedMachine } from '../../system/machine.ts';
import { foldersAbove } from './index-file.ts';
import { findRepository } from './repository.ts';
import { readIndexOf } from './work-tree.ts';

/** Paths relative to the given folder, with `/`. */
export interface TrackedFiles {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  /** Submodules and the commit that the index has of each. */
  readonly submodules: ReadonlyMap<string, string>;
}

/** Files that a test accepts by their path below the folder; none outside a repository, or if its index cannot be read. */
export async function findTracked(
  machine: CapturedMachine,
  folder: string,
  accepts: (path: string) => boolean,
): Promise<TrackedFiles> {
  const files = new Set<string>();
  const submodules = new Map<string, string>();
  const repository = await findRepository(machine.files, folder);
  const index = repository && (await readIndexOf(machine, repository).catch(() => undefined));
  const inside =
    repository && machine.files.paths.relative(repository.workTree, folder).replaceAll('\\', '/');
  const prefix = inside ? `${inside}/` : '';
  for (const entry of index?.entries ?? []) {
    if (!entry.path.startsWith(prefix)) continue;
    const path = entry.path.slice(prefix.length);
    if (entry.mode === 0o160000) submodules.set(path, entry.id);
    if (accepts(path)) files.add(path);
  }
  return { files, folders: foldersAbove(files), submodules };
}
