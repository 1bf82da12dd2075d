// Reads files without following links that lead out of the captured folder. docs/specification.md §10.

import type { MachineFiles } from './machine-files.ts';
import type { System } from './system.ts';

/** Decides what belongs to the captured folder, or to the repository that it is part of. */
export interface UntrustedTree {
  /** True for absolute paths in it; links are not followed, so check the real path too. */
  holds(path: string): boolean;
  /**
   * The work tree around the captured folder, or the folder itself, as written and by its real path. Empty if it
   * holds the home folder, temporary files or the system's programs: such a folder is in the same place on every
   * machine.
   */
  readonly checkout: readonly string[];
}

type Reads = Pick<System, 'readFile' | 'readTextFile'>;

/**
 * The reads of a system with a guard: a path of the captured folder whose real path is elsewhere is refused (`code: 'EACCES'`).
 * Otherwise a stranger's repository could choose files of the user (`.nvmrc` → `~/.netrc`), and the snapshot would contain them.
 * Git's own folder may be a link; only names and settings are read there. Nothing is refused if the home folder is in the
 * captured folder: its settings are often links.
 */
export function guardReads(system: System & { readonly files: MachineFiles }, tree: UntrustedTree): Reads {
  const { files } = system;
  const isHome = tree.holds(system.homeDir);
  const check = async (path: string): Promise<void> => {
    if (isHome || !tree.holds(path) || /[\\/]\.git[\\/]/.test(path)) return;
    const real = await files.realPath(path);
    if (real === undefined || tree.holds(real)) return;
    throw Object.assign(new Error(`EACCES: a link out of the captured folder, read '${path}'`), {
      code: 'EACCES',
      path,
    });
  };
  return {
    async readFile(path, part) {
      await check(path);
      return system.readFile(path, part);
    },
    async readTextFile(path) {
      await check(path);
      return system.readTextFile(path);
    },
  };
}
