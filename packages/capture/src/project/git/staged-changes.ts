// Which staged files differ from the commit that a work tree is at, found by comparing the trees that differ and no others.

import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import type { ChangeKind } from './changed-files.ts';
import { type IndexEntry, stagedTrees } from './index-file.ts';
import { readTree } from './objects.ts';
import { absolutePath, type Repository } from './repository.ts';

/** Steps that an entry of a committed folder costs, and a change, which is kept. */
const [entrySteps, changeSteps] = [100, 2000];
/** Most committed folders that are read. */
const maxFolders = 2000;

/**
 * Path to kind; a folder stands for its files, with `/` at the end, where none of them is staged any more. A path in conflict
 * is not among them: it is not staged, and not gone either. Undefined where that cannot be determined.
 */
export async function stagedChanges(
  machine: CapturedMachine,
  repository: Repository,
  entries: readonly IndexEntry[],
  committedTree: string,
): Promise<ReadonlyMap<string, ChangeKind> | undefined> {
  const trees = stagedTrees(entries, repository.hash);
  const inConflict = new Set(entries.flatMap(({ path, stage }) => (stage === 0 ? [] : [path])));
  const changes = new Map<string, ChangeKind>();
  let read = 0;
  const open = async (id: string) => {
    read += 1;
    const tree = read > maxFolders ? undefined : await readTree(machine, repository, id);
    machine.spend((tree?.size ?? 0) * entrySteps);
    return tree;
  };
  const add = (path: string, kind: ChangeKind): void => {
    machine.spend(changeSteps);
    changes.set(path, kind);
  };
  /** The state of a path that is not staged: a folder is missing if one of its files is. */
  const fateOf = async (path: string, id: string): Promise<ChangeKind> => {
    machine.spend(fileSteps + path.length);
    if (!path.endsWith('/')) {
      const place = absolutePath({ machine, repository }, path);
      return (await machine.linkStatus(place).catch(() => undefined)) ? 'not tracked' : 'missing';
    }
    const folder = await open(id);
    for (const [name, entry] of folder ?? [])
      if ((await fateOf(path + nameOf(name, entry), entry.id)) === 'missing') return 'missing';
    return folder ? 'not tracked' : 'missing';
  };
  const pending: [prefix: string, id: string][] = [['', committedTree]];
  while (pending.length > 0) {
    const [prefix, id] = pending.pop() as [string, string];
    const committed = await open(id);
    if (!committed) return undefined;
    const staged = trees.get(prefix)?.children ?? new Map<string, never>();
    for (const [name, { mode, id: stagedId }] of staged) {
      const path = prefix + name;
      const before = committed.get(name);
      const isFolder = mode === folderMode;
      if (before === undefined || (before.mode === folderMode) !== isFolder)
        add(isFolder ? `${path}/` : path, 'added');
      else if (before.id !== stagedId && isFolder) pending.push([`${path}/`, before.id]);
      else if (before.id !== stagedId) add(path, 'content');
      else if (before.mode !== mode) add(path, 'executable bit');
    }
    for (const [name, entry] of committed) {
      const path = prefix + nameOf(name, entry);
      if (staged.has(name) || inConflict.has(path)) continue;
      machine.spend(inConflict.size);
      if (entry.mode === folderMode && [...inConflict].some((each) => each.startsWith(path)))
        pending.push([path, entry.id]);
      else add(path, await fateOf(path, entry.id));
    }
  }
  return changes;
}

function nameOf(name: string, { mode }: { readonly mode: number }): string {
  return mode === folderMode ? `${name}/` : name;
}

const folderMode = 0o040000;
