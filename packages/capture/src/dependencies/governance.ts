// Decides which lock file governs which manifest, and which folders belong to workspaces.

import { posix } from 'node:path';
import type { FoundFile } from './walk/walk.ts';

/** A lock file; without `members` it governs every folder below it. */
interface Lock extends FoundFile {
  readonly members: readonly string[] | undefined;
}

/** The folders of all workspaces, relative to the captured folder. */
export function membersOf(locks: readonly Lock[]): Set<string> {
  const places = locks.flatMap(({ path, members = [] }) =>
    members.map((member) => normalize(posix.join(folderOf(path), member))),
  );
  return new Set(places);
}

/** The lock files that govern a manifest's folder. Computed on demand, because a folder may have thousands. */
export function createGovernance<File extends Lock>(
  locks: readonly File[],
): (manifest: FoundFile) => Generator<File> {
  const key = (family: string, folder: string) => `${family}\0${folder}`;
  const placed = locks.flatMap((lock) =>
    (lock.format.governs ?? [lock.format.family]).map((family) => ({ lock, family })),
  );
  const byFolder = Map.groupBy(placed, ({ lock, family }) => key(family, folderOf(lock.path)));
  const memberSets = new Map<File, ReadonlySet<string>>();
  const isMember = (lock: File, manifestFolder: string) => {
    const members = memberSets.get(lock) ?? membersOf([lock]);
    memberSets.set(lock, members);
    return lock.members === undefined || members.has(manifestFolder);
  };
  return function* ({ path, format }) {
    const own = folderOf(path);
    for (const { lock } of byFolder.get(key(format.family, own)) ?? []) yield lock;
    for (let at = own; at !== ''; ) {
      at = folderOf(at);
      for (const { lock } of byFolder.get(key(format.family, at)) ?? [])
        if (lock.format.reach === 'tree' && isMember(lock, own)) yield lock;
    }
  };
}

/** The folder of a path, empty for the captured folder itself. */
export function folderOf(path: string): string {
  return normalize(posix.dirname(path));
}

function normalize(folder: string): string {
  return folder === '.' ? '' : folder.replace(/\/$/, '');
}
