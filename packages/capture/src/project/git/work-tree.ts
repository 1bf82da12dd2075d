// Whether a work tree differs from its last commit, told from the index and the files: no filter, hook or monitor that a
// repository names is ever started. Where only such a program could tell, the answer is unknown, with the reason.

import type { CapturedMachine } from '../../system/machine.ts';
import type { MachineFiles } from '../../system/machine-files.ts';
import type { LinkStatus } from '../../system/system.ts';
import { type GitConfig, readGitConfig, userConfigFiles } from './config.ts';
import {
  type IndexEntry,
  IndexError,
  type IndexFile,
  objectId,
  readIndex,
  stagedTreeId,
} from './index-file.ts';
import { treeOfCommit } from './objects.ts';
import { type Repository, readHead, repositoryAt } from './repository.ts';
import { findUntracked } from './untracked.ts';

/** Changed or not, or why that cannot be told. */
export type Cleanliness = { readonly dirty: boolean } | { readonly unknown: string };

/** Largest index that is read, in bytes. */
const maxIndexBytes = 128 * 1024 * 1024;
/** Content that is read because a file's time changed, all files together, in bytes. */
const maxContentBytes = 256 * 1024 * 1024;
/** Submodules in submodules are followed this far. */
const maxDepth = 5;

const dirty: Cleanliness = { dirty: true };
const clean: Cleanliness = { dirty: false };

/** Compares head, index and work tree as `git status` does, untracked files included. */
export async function readCleanliness(
  machine: CapturedMachine,
  repository: Repository,
  depth = 0,
): Promise<Cleanliness> {
  let index: IndexFile;
  let indexModifiedMs = 0;
  const indexPath = machine.files.paths.join(repository.gitFolder, 'index');
  try {
    const status = await machine.status(indexPath).catch(() => undefined);
    if (status && status.sizeBytes > maxIndexBytes) return { unknown: 'its index is too large' };
    index = status
      ? readIndex(await machine.readFile(indexPath), repository.hash)
      : { entries: [], treeId: undefined };
    indexModifiedMs = status?.modifiedMs ?? 0;
  } catch (error) {
    return { unknown: error instanceof IndexError ? error.message : 'its index cannot be read' };
  }
  const staged = await isStaged(machine, repository, index);
  if (staged === true) return dirty;
  const config = await readGitConfig(machine.files, [
    ...userConfigFiles(machine.files, machine.env, machine.homeDir),
    machine.files.paths.join(repository.commonFolder, 'config'),
  ]);
  const changed = await findChanged({ machine, repository, config, indexModifiedMs, depth }, index.entries);
  if ('dirty' in changed && changed.dirty) return dirty;
  const untracked = await findUntracked(machine, repository, config, index.entries);
  if ('dirty' in untracked && untracked.dirty) return dirty;
  if (staged === undefined) return { unknown: 'the commit of its head cannot be read' };
  return 'unknown' in changed ? changed : untracked;
}

/** Whether something is staged; undefined where the head's commit cannot be read. */
async function isStaged(
  machine: CapturedMachine,
  repository: Repository,
  index: IndexFile,
): Promise<boolean | undefined> {
  if (index.entries.some((entry) => entry.stage !== 0 || entry.intended)) return true;
  const { commit, unreadable } = await readHead(machine.files, repository);
  if (unreadable !== undefined) return undefined;
  if (commit === undefined) return index.entries.length > 0;
  const tree = await treeOfCommit(machine, repository, commit);
  if (tree === undefined) return undefined;
  if (index.treeId === tree) return false;
  return stagedTreeId(index.entries, repository.hash) !== tree;
}

interface Look {
  readonly machine: CapturedMachine;
  readonly repository: Repository;
  readonly config: GitConfig;
  readonly indexModifiedMs: number;
  readonly depth: number;
}

/** Holds every staged file against the work tree. */
async function findChanged(look: Look, entries: readonly IndexEntry[]): Promise<Cleanliness> {
  const { sep } = look.machine.files.paths;
  let unknown: Cleanliness | undefined;
  let leftBytes = maxContentBytes;
  for (const entry of entries) {
    if (entry.skipped || entry.mode === 0o040000) continue;
    const path = `${look.repository.workTree}${sep}${sep === '/' ? entry.path : entry.path.replaceAll('/', sep)}`;
    if (entry.mode === 0o160000) {
      const state = await readSubmodule(look, path, entry);
      if ('unknown' in state) unknown ??= state;
      else if (state.dirty) return dirty;
      continue;
    }
    const status = await look.machine.linkStatus(path).catch(() => undefined);
    if (!status) return dirty;
    const verdict = judgeStatus(look, entry, status);
    if (verdict === 'changed') return dirty;
    if (verdict === 'same') continue;
    leftBytes -= status.sizeBytes;
    if (leftBytes < 0) return { unknown: 'the times of too many files changed' };
    const state = await compareContent(look, entry, status, path);
    if ('unknown' in state) unknown ??= state;
    else if (state.dirty) return dirty;
  }
  return unknown ?? clean;
}

function judgeStatus(
  { machine, config, indexModifiedMs }: Look,
  entry: IndexEntry,
  status: LinkStatus,
): 'changed' | 'same' | 'look' {
  const isLink = entry.mode === 0o120000;
  // Without links of the machine, git writes their targets into ordinary files.
  const linksAsFiles = config.get('core.symlinks') === 'false' || machine.platform === 'win32';
  if (
    isLink ? status.kind !== 'symlink' && !(linksAsFiles && status.kind === 'file') : status.kind !== 'file'
  )
    return 'changed';
  const modeCounts = !isLink && machine.platform !== 'win32' && config.get('core.filemode') !== 'false';
  if (modeCounts && (entry.mode === 0o100755) !== status.executable) return 'changed';
  const sameSize = entry.sizeBytes === status.sizeBytes % 2 ** 32;
  if (!sameSize && entry.sizeBytes !== 0) return 'changed';
  const sameTime =
    isSameMoment(entry.modifiedMs, status.modifiedMs) && isSameMoment(entry.changedMs, status.changedMs);
  // A file that was changed while the index was written may have kept its size and its time.
  return sameSize && sameTime && entry.modifiedMs < indexModifiedMs ? 'same' : 'look';
}

/** Times in milliseconds lose some hundred nanoseconds on the way; an index without nanoseconds has whole seconds. */
function isSameMoment(a: number, b: number): boolean {
  return Math.abs(a - b) < 0.001 || (a % 1000 === 0 && a === Math.floor(b / 1000) * 1000);
}

async function compareContent(
  look: Look,
  entry: IndexEntry,
  status: LinkStatus,
  path: string,
): Promise<Cleanliness> {
  const { machine, repository, config } = look;
  let content: Uint8Array;
  try {
    content =
      status.kind === 'symlink' ? Buffer.from(await machine.readLink(path)) : await machine.readFile(path);
  } catch {
    return { unknown: `${entry.path} cannot be read` };
  }
  const isStaged = (bytes: Uint8Array): boolean =>
    objectId('blob', bytes, repository.hash).toString('hex') === entry.id;
  if (isStaged(content)) return clean;
  if (status.kind === 'symlink') return dirty;
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (
    text.includes('\r\n') &&
    isStaged(Buffer.from(text.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'))
  )
    return clean;
  return (await mayBeFiltered(machine.files, repository, config, entry.path))
    ? { unknown: `only a filter of the repository could tell whether ${entry.path} changed` }
    : dirty;
}

/** Attributes by which a file's content is changed on its way into the repository. */
const filteringAttribute = /(?:^|\s)(?:filter|ident|working-tree-encoding)(?:=|\s|$)/m;

/** Whether attributes in effect for the file could name a filter; a look at the words is enough to be careful. */
async function mayBeFiltered(
  files: MachineFiles,
  { workTree, commonFolder }: Repository,
  config: GitConfig,
  path: string,
): Promise<boolean> {
  const { join } = files.paths;
  const folders = path.split('/').slice(0, -1);
  const attributes = [
    ...folders.map((_, depth) => join(workTree, ...folders.slice(0, depth + 1), '.gitattributes')),
    join(workTree, '.gitattributes'),
    join(commonFolder, 'info', 'attributes'),
  ];
  for (const file of attributes) {
    if (filteringAttribute.test((await files.text(file)) ?? '')) return true;
  }
  // The user's own attributes are rarely there; where they are, they may say anything.
  return config.has('core.attributesfile');
}

/** A submodule is changed when its head is another commit than the staged one, or when it is changed itself. */
async function readSubmodule(look: Look, path: string, entry: IndexEntry): Promise<Cleanliness> {
  const repository = await repositoryAt(look.machine.files, path);
  // Not checked out: git sees nothing wrong with that, unless the folder is gone.
  if (!repository) return (await look.machine.files.isFolder(path)) ? clean : dirty;
  if (look.depth >= maxDepth) return { unknown: `the submodule ${entry.path} lies too deep` };
  const { commit, unreadable } = await readHead(look.machine.files, repository);
  if (unreadable !== undefined) return { unknown: `of the submodule ${entry.path}, ${unreadable}` };
  if (commit !== entry.id) return dirty;
  const state = await readCleanliness(look.machine, repository, look.depth + 1);
  return 'unknown' in state ? { unknown: `of the submodule ${entry.path}, ${state.unknown}` } : state;
}
