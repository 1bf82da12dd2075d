// Which staged files differ from the commit that a work tree is at, found by comparing the trees that differ and no others.

import type { CapturedMachine } from '../../system/machine.ts';
import type { ChangeKind } from './changed-files.ts';
import { type IndexEntry, stagedTrees } from './index-file.ts';
import { readTree } from './objects.ts';
import type { Repository } from './repository.ts';

/** Steps that an entry of a committed folder costs, and a change, which is kept. */
const [entrySteps, changeSteps] = [100, 2000];
/** Most committed folders that are read. */
const maxFolders = 2000;

/** Path to kind; a folder that is gone stands for its files, with `/` at the end. Undefined where that cannot be determined. */
export async function stagedChanges(
  machine: CapturedMachine,
  repository: Repository,
  entries: readonly IndexEntry[],
  committedTree: string,
): Promise<ReadonlyMap<string, ChangeKind> | undefined> {
  const trees = stagedTrees(entries, repository.hash);
  const changes = new Map<string, ChangeKind>();
  const add = (path: string, kind: ChangeKind): void => {
    machine.spend(changeSteps);
    changes.set(path, kind);
  };
  const pending: [prefix: string, id: string][] = [['', committedTree]];
  for (let read = 0; pending.length > 0; read += 1) {
    const [prefix, id] = pending.pop() as [string, string];
    const committed = await readTree(machine, repository, id);
    if (!committed || read === maxFolders) return undefined;
    machine.spend(committed.size * entrySteps);
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
    for (const [name, { mode }] of committed)
      if (!staged.has(name)) add(`${prefix}${name}${mode === folderMode ? '/' : ''}`, 'missing');
  }
  return changes;
}

const folderMode = 0o040000;
