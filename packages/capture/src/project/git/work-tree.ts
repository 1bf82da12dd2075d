// Changes of a work tree against its last commit, read from the index and the files. Never starts a filter, hook or monitor that
// a repository names: if only such a program could show a change, the result is unknown, with the reason.

import { TooMuchWorkError } from '@envsnap/shared/work-budget';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { maxTextBytes } from '../../system/machine-files.ts';
import { readAttributes } from './attributes.ts';
import { type ChangeKind, findChangedFiles, type Look } from './changed-files.ts';
import { lastValues, readGitSettings } from './config.ts';
import type { IgnoredPaths } from './ignored-files.ts';
import { type IndexEntry, IndexError, type IndexFile, readIndex, stagedTrees } from './index-file.ts';
import { readTree, treeOfCommit } from './objects.ts';
import { absolutePath, type Repository, readHead, repositoryAt } from './repository.ts';
import { countUntracked } from './untracked.ts';

/** How a submodule differs from its staged commit. */
export type SubmoduleState = 'not initialised' | 'at another commit' | 'changed';

export interface WorkTree {
  readonly changed: ReadonlyMap<string, ChangeKind>;
  readonly submodules: ReadonlyMap<string, SubmoduleState>;
  /** Files of Git LFS that were never fetched. */
  readonly pointers: readonly string[];
  /** Files that are neither tracked nor ignored; undefined if that could not be determined. */
  readonly untracked: number | undefined;
  readonly ignored: IgnoredPaths | undefined;
  /** Whether some tracked files are left out on purpose. */
  readonly sparse: boolean;
  /** The state, as `git status` shows it; undefined if that could not be determined. */
  readonly dirty: boolean | undefined;
  /** False if the index cannot be read; then nothing else is known. */
  readonly isRead: boolean;
  /** Why something could not be determined, without a full stop. */
  readonly unknown: string | undefined;
}

/** Cost in steps of a submodule, besides its files, and of each character of its settings and references. */
const submoduleSteps = 10_000;
const textSteps = [
  ['config', 70],
  ['packed-refs', 3],
] as const;
/** Largest index that is read, in bytes. */
const maxIndexBytes = 128 * 1024 * 1024;

type ReadIndex = IndexFile & { readonly modifiedMs: number };

const indexes = new WeakMap<CapturedMachine['files'], Map<string, Promise<ReadIndex>>>();

/**
 * Reads the index of a repository, once per capture. Throws an {@link IndexError} whose message gives the reason, or {@link
 * TooMuchWorkError}.
 */
export function readIndexOf(machine: CapturedMachine, repository: Repository): Promise<ReadIndex> {
  const known = indexes.get(machine.files) ?? new Map<string, Promise<ReadIndex>>();
  indexes.set(machine.files, known);
  const index = known.get(repository.gitFolder) ?? loadIndex(machine, repository);
  known.set(repository.gitFolder, index);
  return index;
}

async function loadIndex(machine: CapturedMachine, repository: Repository): Promise<ReadIndex> {
  const path = machine.files.paths.join(repository.gitFolder, 'index');
  const status = await machine.files.status(path);
  if (!status) return { entries: [], treeId: undefined, modifiedMs: 0 };
  if (status.sizeBytes > maxIndexBytes) throw new IndexError('its index is too large');
  machine.spend(status.sizeBytes);
  // An endless file, as in /proc, seems to be empty. Git may write a larger index in the meantime.
  const bytes = await machine
    .readFile(path, { length: status.sizeBytes && maxIndexBytes })
    .catch((cause: unknown) => {
      throw new IndexError('its index cannot be read', { cause });
    });
  return { ...readIndex(bytes, repository.hash, machine.spend), modifiedMs: status.modifiedMs };
}

/** Compares head, index and work tree as `git status` does, untracked files included. */
export async function readWorkTree(machine: CapturedMachine, repository: Repository): Promise<WorkTree> {
  const real = (await machine.files.realPath(repository.workTree)) ?? repository.workTree;
  return readOnce(machine, repository, readIndexOf(machine, repository), new Set([real]));
}

/** `seen` are the real paths of the work trees that are being compared already. */
async function readOnce(
  machine: CapturedMachine,
  repository: Repository,
  index: Promise<ReadIndex>,
  seen: Set<string>,
): Promise<WorkTree> {
  try {
    return await compareWorkTree(machine, repository, await index, seen);
  } catch (error) {
    if (!(error instanceof IndexError || error instanceof TooMuchWorkError)) throw error;
    return { ...nothingKnown, unknown: error.message };
  }
}

async function compareWorkTree(
  machine: CapturedMachine,
  repository: Repository,
  index: ReadIndex,
  seen: Set<string>,
): Promise<WorkTree> {
  const { entries } = index;
  const config = lastValues(await readGitSettings(machine, repository.workTree));
  const attributesOf = await readAttributes(machine, repository, config, entries);
  const look: Look = { machine, repository, config, attributesOf, indexModifiedMs: index.modifiedMs };
  const staged = await findStaged(machine, repository, index);
  const files = await findChangedFiles(look, entries);
  const submodules = await readSubmodules(look, entries, seen);
  const untracked = await countUntracked(machine, repository, config, entries);
  const unknown = [
    files.unknown,
    submodules.unknown,
    'unknown' in untracked ? untracked.unknown : undefined,
    staged === undefined ? 'the commit of its head cannot be read' : undefined,
  ].filter((reason) => reason !== undefined);
  const changed = new Map([...(staged ?? []), ...files.changed]);
  const count = 'count' in untracked ? untracked.count : undefined;
  const isDirty =
    [...changed.keys()].some((path) => !files.assumed.has(path) || staged?.has(path)) ||
    (count ?? 0) > 0 ||
    [...submodules.states.values()].some((state) => state !== 'not initialised') ||
    submodules.isGone;
  return {
    changed,
    submodules: submodules.states,
    pointers: files.pointers,
    untracked: count,
    ignored: 'ignored' in untracked ? untracked.ignored : undefined,
    sparse:
      config.get('core.sparsecheckout') === 'true' &&
      entries.some(({ skipped, mode }) => skipped || mode === 0o040000),
    dirty: isDirty ? true : unknown.length > 0 ? undefined : false,
    isRead: true,
    unknown: unknown[0],
  };
}

const nothingKnown: WorkTree = {
  changed: new Map(),
  submodules: new Map(),
  pointers: [],
  untracked: undefined,
  ignored: undefined,
  sparse: false,
  dirty: undefined,
  isRead: false,
  unknown: undefined,
};

/** Staged changes by path; undefined if the head's commit cannot be read. */
async function findStaged(
  machine: CapturedMachine,
  repository: Repository,
  index: IndexFile,
): Promise<ReadonlyMap<string, ChangeKind> | undefined> {
  const intended = index.entries.filter((entry) => entry.intended).map(({ path }) => path);
  const asAdded = (added: readonly string[]) => new Map(added.map((path) => [path, 'added' as const]));
  const { commit, unreadable } = await readHead(machine.files, repository);
  if (unreadable !== undefined) return undefined;
  if (commit === undefined) return asAdded(index.entries.map(({ path }) => path));
  const tree = await treeOfCommit(machine, repository, commit);
  if (tree === undefined) return undefined;
  if (index.entries.length === 0) return new Map([['./', 'not checked out']]);
  const isClean = index.treeId === tree || stagedTrees(index.entries, repository.hash).get('')?.id === tree;
  if (isClean) return asAdded(intended);
  const changes = await stagedChanges(machine, repository, index.entries, tree);
  return changes && new Map([...changes, ...asAdded(intended)]);
}

/** A submodule differs if its head is not the staged commit, or if it has changes. */
async function readSubmodules(look: Look, entries: readonly IndexEntry[], seen: Set<string>) {
  const { machine } = look;
  const { files } = machine;
  const states = new Map<string, SubmoduleState>();
  let unknown: string | undefined;
  let isGone = false;
  for (const entry of entries) {
    if (entry.mode !== 0o160000 || entry.skipped) continue;
    const path = absolutePath(look, entry.path);
    machine.spend(submoduleSteps);
    const repository = await repositoryAt(files, path);
    if (!repository) {
      states.set(entry.path, 'not initialised');
      // git accepts that, unless the folder is missing.
      isGone ||= !(await files.isFolder(path));
      continue;
    }
    const real = (await files.realPath(path)) ?? path;
    for (const [name, steps] of textSteps) {
      const status = await files.status(files.paths.join(repository.commonFolder, name));
      machine.spend(steps * Math.min(status?.sizeBytes ?? 0, maxTextBytes));
    }
    const { commit, unreadable } = await readHead(files, repository);
    if (unreadable !== undefined) unknown ??= `in the submodule ${entry.path}, ${unreadable}`;
    else if (commit !== entry.id) states.set(entry.path, 'at another commit');
    else if (seen.has(real)) unknown ??= `the submodule ${entry.path} is a link to another one`;
    else {
      seen.add(real);
      const inner = await readOnce(machine, repository, loadIndex(machine, repository), seen);
      if (inner.dirty) states.set(entry.path, 'changed');
      else if (inner.unknown !== undefined) unknown ??= `in the submodule ${entry.path}, ${inner.unknown}`;
    }
  }
  return { states, unknown, isGone };
}

/** Cost in steps of each entry of a committed folder, and of each stored change. */
const [entrySteps, changeSteps] = [100, 2000];
/** Maximum number of committed folders that are read. */
const maxFolders = 2000;

/**
 * Maps each path to its kind of change. If none of a folder's files is staged any more, the folder (ending in `/`) takes their
 * place. Leaves out paths in conflict: they are neither staged nor gone. Undefined if the changes cannot be determined.
 */
async function stagedChanges(
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
  /** The state of a path that is not staged: a folder is missing if any of its files is. */
  const changeOf = async (path: string, id: string): Promise<ChangeKind> => {
    machine.spend(fileSteps + path.length);
    if (!path.endsWith('/')) {
      const place = absolutePath({ machine, repository }, path);
      return (await machine.linkStatus(place).catch(() => undefined)) ? 'not tracked' : 'missing';
    }
    const folder = await open(id);
    for (const [name, entry] of folder ?? [])
      if ((await changeOf(path + nameOf(name, entry), entry.id)) === 'missing') return 'missing';
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
      else add(path, await changeOf(path, entry.id));
    }
  }
  return changes;
}

function nameOf(name: string, { mode }: { readonly mode: number }): string {
  return mode === folderMode ? `${name}/` : name;
}

const folderMode = 0o040000;
