// Decides what belongs to the captured folder, from which no program, code or setting is used. docs/specification.md §10.

import type { UntrustedTree } from './guarded-reads.ts';
import type { CapturedMachine } from './machine.ts';

/** Why something of the folder is not started; ends the sentence “its version is unknown: …”. */
export const untrustedReason = 'it is in the captured folder, and a capture starts no program there';

/** Folders that are never part of a checkout. */
const commonPlaces: Readonly<Record<'posix' | 'windows', readonly string[]>> = {
  posix: [
    '/tmp',
    '/var/tmp',
    '/etc',
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
    '/Library',
    '/var/lib',
  ],
  windows: ['C:\\Windows', 'C:\\Program Files'],
};

/** Whether a folder contains a path, by the machine's rules for names. */
function placeRules(machine: CapturedMachine) {
  const { paths } = machine.files;
  const onWindows = machine.platform === 'win32';
  const fold = (path: string): string => {
    const normal = paths.normalize(path).replace(/(?<=[^\\/])[\\/]+$/, '');
    return onWindows ? normal.toLowerCase() : normal;
  };
  return {
    fold,
    common: (onWindows ? commonPlaces.windows : commonPlaces.posix).map(fold),
    isWithin: (path: string, root: string): boolean =>
      path === root || path.startsWith(root.endsWith(paths.sep) ? root : root + paths.sep),
    isWhole: (path: string): boolean => paths.dirname(path) === path,
    homes: async (): Promise<string[]> =>
      [machine.homeDir, await machine.files.realPath(machine.homeDir)].flatMap((home) =>
        home ? [fold(home)] : [],
      ),
  };
}

/** A test for folders that hold the home folder, temporary files or the system's programs. Such folders are not projects. */
export async function isSharedPlace(machine: CapturedMachine): Promise<(folder: string) => boolean> {
  const { fold, common, isWithin, isWhole, homes } = placeRules(machine);
  const places = [...(await homes()), ...common];
  return (folder) => isWhole(folder) || places.some((place) => isWithin(place, fold(folder)));
}

/**
 * The folder itself and the work tree around it, each as written and by its real path. A work tree that contains the home folder
 * does not count: a repository of personal settings does not come from a stranger. Nor does a whole file system, which no
 * stranger sent.
 */
export async function untrustedTree(machine: CapturedMachine, folder: string): Promise<UntrustedTree> {
  const { paths } = machine.files;
  const { fold, common, isWithin, isWhole, homes: findHomes } = placeRules(machine);
  const homes = await findHomes();
  const roots = new Set<string>();
  let checkout: string[] = [];
  const add = async (path: string): Promise<void> => {
    const names = [path, await machine.files.realPath(path)].filter((each) => each && !isWhole(each));
    for (const each of names) roots.add(fold(each as string));
    checkout = names as string[];
  };
  await add(folder);
  for (const above of machine.files.upward(folder).slice(1)) {
    if (!(await machine.files.status(paths.join(above, '.git')))) continue;
    if (!homes.some((home) => isWithin(home, fold(above)))) await add(above);
    break;
  }
  const { TMPDIR, TEMP } = machine.env;
  const shared = [...homes, ...common, ...[TMPDIR ?? '', TEMP ?? ''].filter(Boolean).map(fold)];
  return {
    checkout: checkout.some((root) => shared.some((place) => isWithin(place, fold(root)))) ? [] : checkout,
    holds(path) {
      const folded = fold(path);
      return [...roots].some((root) => isWithin(folded, root));
    },
  };
}
