// Which tracked files of a work tree differ from what is staged, and how: read from the index and the files.

import { createHash } from 'node:crypto';
import { fileSteps } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import type { LinkStatus } from '../../system/system.ts';
import type { AttributesOf, FileAttributes } from './attributes.ts';
import type { GitConfig } from './config.ts';
import { type IndexEntry, objectId } from './index-file.ts';
import { readObject } from './objects.ts';
import { absolutePath, type Repository } from './repository.ts';

export type ChangeKind =
  | 'content'
  | 'line ends'
  | 'executable bit'
  | 'missing'
  | 'name in another Unicode form'
  | 'not a link'
  | 'added'
  /** Staged as deleted, but still on disk. */
  | 'not tracked'
  /** `./` for the whole work tree: nothing is staged, as after an interrupted clone. */
  | 'not checked out'
  | 'in conflict'
  /** Git is set to skip it, or to assume that it is unchanged. */
  | 'overlooked';

export interface Look {
  readonly machine: CapturedMachine;
  readonly repository: Repository;
  readonly config: GitConfig;
  readonly indexModifiedMs: number;
  readonly attributesOf: AttributesOf;
}

/** Maximum number of files that are compared. */
const maxFiles = 200_000;
/** Maximum bytes that are read because times of files changed. */
const maxContentBytes = 256 * 1024 * 1024;
type Unknown = { readonly unknown: string };

/** Compares every staged file, except submodules, with the work tree. */
export async function findChangedFiles(look: Look, entries: readonly IndexEntry[]) {
  /** By path, in the order of the index. */
  const changed = new Map<string, ChangeKind>();
  /** Files whose changes git is set to ignore. */
  const assumed = new Set<string>();
  /** Files that contain a Git LFS pointer instead of their content. */
  const pointers: string[] = [];
  /** Why some file could not be determined, without a full stop. */
  let unknown: string | undefined;
  let leftBytes = maxContentBytes;
  let seen = 0;
  const namesOf = new Map<string, ReadonlySet<string>>();
  const isSparse = look.config.get('core.sparsecheckout') === 'true';
  for (const entry of entries) {
    if (entry.stage !== 0) changed.set(entry.path, 'in conflict');
    // In a sparse checkout, or because somebody set git to skip it.
    const isLeftOut = entry.skipped && isSparse;
    if (entry.stage !== 0 || isLeftOut || entry.mode === 0o040000 || entry.mode === 0o160000) continue;
    seen += 1;
    if (seen > maxFiles) {
      unknown ??= `only the first ${maxFiles} of its files were compared`;
      break;
    }
    const path = absolutePath(look, entry.path);
    look.machine.spend(fileSteps + path.length);
    const status = await look.machine.linkStatus(path).catch(() => undefined);
    let verdict: ChangeKind | 'same' | 'look' = status
      ? judgeStatus(look, entry, status)
      : await missingKind(look, entry.path, namesOf);
    if (verdict === 'look' && status) {
      leftBytes -= status.sizeBytes;
      look.machine.spend(Math.max(0, Math.min(status.sizeBytes, leftBytes)));
      const compared =
        leftBytes < 0
          ? { unknown: 'too many files have a new modification time to compare them all' }
          : await compareContent(look, entry, status, path);
      if (typeof compared === 'object') {
        unknown ??= compared.unknown;
        continue;
      }
      verdict = compared;
      if (verdict === 'same' && isModeChanged(look, entry, status)) verdict = 'executable bit';
    }
    if (verdict === 'same' && status && (await isPointer(look, entry, status, path)))
      pointers.push(entry.path);
    if (verdict === 'same' || verdict === 'look') continue;
    const isOverlooked = entry.assumed || entry.skipped;
    changed.set(entry.path, isOverlooked ? 'overlooked' : verdict);
    if (isOverlooked) assumed.add(entry.path);
  }
  return { changed, assumed, pointers, unknown };
}

/** Steps that a name in a folder costs, which is stored in one Unicode form. */
const nameSteps = 100;

/** A name may exist in another Unicode form: `é` as one character, or as `e` and an accent. */
async function missingKind(
  look: Look,
  path: string,
  namesOf: Map<string, ReadonlySet<string>>,
): Promise<ChangeKind> {
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  if (/^[ -~]*$/.test(name)) return 'missing';
  const folder = path.slice(0, Math.max(slash, 0));
  let names = namesOf.get(folder);
  if (names === undefined) {
    const entries = await look.machine.files.entries(absolutePath(look, folder));
    look.machine.spend(entries.length * nameSteps);
    names = new Set(entries.map((entry) => entry.name.normalize('NFC')));
    namesOf.set(folder, names);
  }
  return names.has(name.normalize('NFC')) ? 'name in another Unicode form' : 'missing';
}

function judgeStatus(
  look: Look,
  entry: IndexEntry,
  status: LinkStatus,
): 'missing' | 'not a link' | 'executable bit' | 'same' | 'look' {
  const { machine, config, indexModifiedMs } = look;
  const isLink = entry.mode === 0o120000;
  // If the machine has no links, git writes their targets into ordinary files.
  const linksAsFiles = config.get('core.symlinks') === 'false' || machine.platform === 'win32';
  if (isLink && status.kind !== 'symlink' && !(linksAsFiles && status.kind === 'file')) return 'not a link';
  if (!isLink && status.kind !== 'file') return 'missing';
  const sameTime =
    isSameMoment(entry.modifiedMs, status.modifiedMs) && isSameMoment(entry.changedMs, status.changedMs);
  const sameSize = entry.sizeBytes === status.sizeBytes % 2 ** 32;
  // A file that was changed while the index was written may have the same size and time.
  if (!sameSize || !sameTime || entry.modifiedMs >= indexModifiedMs) return 'look';
  return isModeChanged(look, entry, status) ? 'executable bit' : 'same';
}

function isModeChanged({ machine, config }: Look, entry: IndexEntry, status: LinkStatus): boolean {
  if (entry.mode === 0o120000 || machine.platform === 'win32') return false;
  return config.get('core.filemode') !== 'false' && (entry.mode === 0o100755) !== status.executable;
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
): Promise<ChangeKind | 'same' | Unknown> {
  const { machine, repository } = look;
  const read =
    status.kind === 'symlink'
      ? machine.readLink(path).then((target) => Buffer.from(target))
      : machine.readFile(path);
  const content = await read.catch(() => undefined);
  if (content === undefined) return { unknown: `${entry.path} cannot be read` };
  const isStaged = (bytes: Uint8Array): boolean =>
    objectId('blob', bytes, repository.hash).toString('hex') === entry.id;
  if (isStaged(content)) return 'same';
  if (status.kind === 'symlink' || entry.mode === 0o120000) return 'content';
  const attributes = look.attributesOf(entry.path);
  const filter = attributes.get('filter');
  if (filter === 'lfs') return compareWithPointer(look, entry, content);
  const other = ['filter', 'ident', 'working-tree-encoding'].find((name) => attributes.get(name));
  if (other !== undefined)
    return { unknown: `only a filter of the repository could say whether ${entry.path} changed` };
  const text = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('latin1');
  const unix = text.replaceAll('\r\n', '\n');
  if (text.includes('\r\n') && isStaged(Buffer.from(unix, 'latin1')))
    return isNormalized(attributes, look.config) ? 'same' : 'line ends';
  const hasBareEnds = unix.includes('\n') && unix.length === text.length;
  return hasBareEnds && isStaged(Buffer.from(unix.replaceAll('\n', '\r\n'), 'latin1'))
    ? 'line ends'
    : 'content';
}

/** Whether git turns CRLF into LF before it compares. */
function isNormalized(attributes: FileAttributes, config: GitConfig): boolean {
  const text = attributes.get('text') ?? (attributes.has('eol') ? true : undefined);
  if (text !== undefined) return text !== false;
  return /^(?:true|input|yes|on|1)$/i.test(config.get('core.autocrlf') ?? '');
}

const pointerStart = /^version https:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\/v\d+\n/;
/** A pointer has three lines, and more only if other programs extend it. In bytes. */
const maxPointerBytes = 1024;

/** A file of Git LFS is staged as a pointer, which contains the hash of its content. */
async function compareWithPointer(
  { machine, repository }: Look,
  entry: IndexEntry,
  content: Uint8Array,
): Promise<ChangeKind | 'same' | Unknown> {
  const pointer = (await readObject(machine, repository, entry.id, 'blob'))?.toString('latin1');
  const oid =
    pointer && pointerStart.test(pointer) ? /^oid sha256:([0-9a-f]{64})$/m.exec(pointer)?.[1] : undefined;
  if (oid === undefined) return { unknown: `what Git LFS stored for ${entry.path} cannot be read` };
  return createHash('sha256').update(content).digest('hex') === oid ? 'same' : 'content';
}

async function isPointer(
  { machine, attributesOf }: Look,
  { path, mode }: IndexEntry,
  { sizeBytes }: LinkStatus,
  absolute: string,
): Promise<boolean> {
  if (mode === 0o120000 || sizeBytes === 0 || sizeBytes > maxPointerBytes) return false;
  if (attributesOf(path).get('filter') !== 'lfs') return false;
  const content = await machine.readFile(absolute, { length: maxPointerBytes }).catch(() => new Uint8Array());
  return pointerStart.test(Buffer.from(content).toString('latin1'));
}
