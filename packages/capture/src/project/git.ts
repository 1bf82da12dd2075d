// State of the git repository that contains the captured folder, read from its files. git itself is never started, because it
// would follow the repository's settings, which can name programs.

import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { sortedRecord } from '../sorted-record.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { ChangeKind } from './git/changed-files.ts';
import { type IgnoredFiles, readIgnored } from './git/ignored-files.ts';
import { findRepository, type Repository, readHead } from './git/repository.ts';
import { readWorkTree, type SubmoduleState, type WorkTree } from './git/work-tree.ts';

interface GitState {
  /** Full object name; absent before the first commit. */
  readonly commit?: string;
  /** Absent when the head is detached. */
  readonly branch?: string;
  /** Changed, staged or untracked files; absent if that cannot be determined without starting a program. */
  readonly dirty?: boolean;
}

/** `metadata.checkout`: how the work tree differs from its commit. Paths are relative to the work tree, with `/`. */
interface CheckoutState {
  /** Tracked files that differ from the commit: how many, and the kind of each of the first 50. */
  readonly changed: { readonly count: number; readonly files: Readonly<Record<string, ChangeKind>> };
  /** Files that are neither tracked nor ignored; absent if that cannot be determined. */
  readonly untracked?: number;
  /** Files that git ignores and that no tool generates; at most 200 are named. */
  readonly ignored?: IgnoredFiles;
  readonly submodules?: Readonly<Record<string, SubmoduleState>>;
  /** Files of Git LFS that were never fetched. */
  readonly pointers?: { readonly count: number; readonly files: readonly string[] };
  readonly sparse?: true;
  readonly shallow?: true;
  /** Whether the repository has tags, from which tools derive versions. */
  readonly tags: boolean;
  /** An unfinished operation: `merge`, `rebase`. */
  readonly operation?: string;
}

export interface CollectedGit {
  readonly git?: GitState;
  /** Absent if the index cannot be read. */
  readonly checkout?: CheckoutState;
  readonly unknown: readonly UnknownEntry[];
}

/** Reads the state. Without a repository there is no state, and nothing is unknown. */
export async function collectGit(machine: CapturedMachine, folder: string): Promise<CollectedGit> {
  const repository = await findRepository(machine.files, folder);
  if (!repository) return { unknown: [] };
  const { commit, branch, unreadable } = await readHead(machine.files, repository);
  const tree = await readWorkTree(machine, repository);
  const ignored =
    tree.ignored && (await readIgnored(machine, repository, tree.ignored).catch(() => undefined));
  const unknown: UnknownEntry[] = [];
  if (unreadable !== undefined) unknown.push({ section: 'git', key: 'commit', reason: unreadable });
  if (tree.dirty === undefined)
    unknown.push({ section: 'git', key: 'dirty', reason: tree.unknown ?? 'its files cannot be read' });
  else if (tree.unknown !== undefined)
    unknown.push({ section: 'git', key: 'checkout', reason: tree.unknown });
  return {
    git: {
      ...(commit !== undefined && { commit }),
      ...(branch !== undefined && { branch }),
      ...(tree.dirty !== undefined && { dirty: tree.dirty }),
    },
    ...(tree.isRead && {
      checkout: {
        ...checkoutState(tree),
        ...(ignored && { ignored }),
        ...(await repositoryState(machine, repository)),
      },
    }),
    unknown,
  };
}

/** Maximum number of named files and submodules. A path with more characters than the second limit is only counted. */
const [maxNames, maxPathLength] = [50, 300];

function checkoutState(tree: WorkTree): Omit<CheckoutState, 'ignored' | 'shallow' | 'tags' | 'operation'> {
  const named = <T>(found: Iterable<readonly [string, T]>): Record<string, T> =>
    sortedRecord([...found].filter(([path]) => path.length <= maxPathLength).slice(0, maxNames));
  return {
    changed: { count: tree.changed.size, files: named(tree.changed) },
    ...(tree.untracked !== undefined && { untracked: tree.untracked }),
    ...(tree.submodules.size > 0 && { submodules: named(tree.submodules) }),
    ...(tree.pointers.length > 0 && {
      pointers: { count: tree.pointers.length, files: tree.pointers.slice(0, maxNames) },
    }),
    ...(tree.sparse && { sparse: true }),
  };
}

/** Files that git keeps during an operation, with the operation's name. */
const operations = {
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  BISECT_LOG: 'bisect',
};

async function repositoryState({ files }: CapturedMachine, { commonFolder, gitFolder }: Repository) {
  const { join } = files.paths;
  const begun = new Set(await files.names(gitFolder));
  const operation = Object.entries(operations).find(([file]) => begun.has(file))?.[1];
  const hasTags =
    (await files.names(join(commonFolder, 'refs', 'tags'))).length > 0 ||
    ((await files.text(join(commonFolder, 'packed-refs'))) ?? '').includes(' refs/tags/');
  return {
    ...((await files.isFile(join(commonFolder, 'shallow'))) && { shallow: true as const }),
    tags: hasTags,
    ...(operation !== undefined && { operation }),
  };
}
