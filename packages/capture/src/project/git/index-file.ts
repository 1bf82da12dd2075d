// Reads git's index (what is staged), versions 2 to 4. https://git-scm.com/docs/index-format

import { createHash } from 'node:crypto';
import type { Spend } from '@envsnap/shared/work-budget';

export interface IndexFile {
  readonly entries: readonly IndexEntry[];
  /** Object name of the staged tree as a whole, if the index contains it. */
  readonly treeId: string | undefined;
}

/** An index that this reader cannot read; the message says why, without a full stop. */
export class IndexError extends Error {
  override readonly name = 'IndexError';
}

/** Longest path that is read, in bytes: systems do not open longer ones. */
const maxPathBytes = 4096;
/** Steps that an entry costs, and a folder, both apart from their characters. */
const keptSteps = 100;

/** Reads an index. Throws {@link IndexError}, and `TooMuchWorkError`. */
export function readIndex(bytes: Uint8Array, hash: 'sha1' | 'sha256', spend: Spend): IndexFile {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (data.length < 12 || data.toString('latin1', 0, 4) !== 'DIRC') throw damaged();
  const version = data.readUInt32BE(4);
  if (version < 2 || version > 4) throw new IndexError(`its index has version ${version}`);
  const idBytes = hash === 'sha1' ? 20 : 32;
  const source = { data, idBytes, version };
  const entries: IndexEntry[] = [];
  let at = 12;
  let previousPath = '';
  try {
    for (let remaining = data.readUInt32BE(8); remaining > 0; remaining -= 1) {
      const read = readEntry(source, at, previousPath);
      spend(stepsOf(read.entry.path, previousPath));
      entries.push(read.entry);
      previousPath = read.entry.path;
      at = read.end;
    }
  } catch (error) {
    throw error instanceof RangeError ? damaged() : error;
  }
  const treeId = readExtensions(data, at, idBytes);
  // Entries that replace one in the shared index have no path. The extension of a split index has already listed them.
  if (entries.some(({ path }) => path === '')) throw damaged();
  return { entries, treeId };
}

/** The names of an entry and its folders, which the caller decodes. */
function stepsOf(path: string, previousPath: string): number {
  let steps = keptSteps + path.length;
  for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
    if (previousPath.startsWith(path.slice(0, slash + 1))) break;
    steps += keptSteps + slash;
  }
  return steps;
}

function damaged(): IndexError {
  return new IndexError('its index is damaged');
}

const extendedFlag = 0x4000;
const leadsElsewhere = /(?:^|\/)(?:\.\.|\.git)(?:\/|$)/;

/** The bytes of an index, and how many of them an object name takes. */
interface EntrySource {
  readonly data: Buffer;
  readonly idBytes: number;
  readonly version: number;
}

function readEntry(source: EntrySource, start: number, previousPath: string) {
  const { data, idBytes, version } = source;
  const flagsAt = start + 40 + idBytes;
  const flags = data.readUInt16BE(flagsAt);
  const isExtended = version >= 3 && (flags & extendedFlag) !== 0;
  const more = isExtended ? data.readUInt16BE(flagsAt + 2) : 0;
  let at = flagsAt + (isExtended ? 4 : 2);
  let prefix = Buffer.alloc(0);
  if (version === 4) {
    const [removed, afterNumber] = readVariableNumber(data, at);
    const previous = Buffer.from(previousPath);
    if (removed > previous.length) throw damaged();
    prefix = previous.subarray(0, previous.length - removed);
    at = afterNumber;
  }
  const end = data.indexOf(0, at);
  if (end < 0) throw damaged();
  const path = Buffer.concat([prefix, data.subarray(at, end)]).toString('utf8');
  // Except in version 4, entries are padded with 1 to 8 zeros to a multiple of 8 bytes.
  const next = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
  if (path.length > maxPathBytes) throw new IndexError('its index has too long a path');
  if (path.startsWith('/') || leadsElsewhere.test(path)) throw damaged();
  return { entry: new IndexEntry(source, start, path, (flags << 16) | more), end: next };
}

/** One staged file. Decoded on demand, because most of a large index is never needed and would fill the memory. */
export class IndexEntry {
  /** Relative to the work tree, with `/`; a folder of a sparse index ends in `/`. */
  readonly path: string;
  readonly #index: EntrySource;
  readonly #start: number;
  /** The flags, followed by the extended flags. */
  readonly #flags: number;

  constructor(index: EntrySource, start: number, path: string, flags: number) {
    this.path = path;
    this.#index = index;
    this.#start = start;
    this.#flags = flags;
  }

  /** `0o100644`, `0o100755`, `0o120000` (link), `0o160000` (submodule), `0o040000` (folder of a sparse index). */
  get mode(): number {
    return this.#number(24);
  }

  /** Object name in hexadecimal. */
  get id(): string {
    const at = this.#start + 40;
    return this.#index.data.toString('hex', at, at + this.#index.idBytes);
  }

  /** Size of the file in the work tree when it was last seen, in bytes, modulo 2³²; 0 also if it must be checked. */
  get sizeBytes(): number {
    return this.#number(36);
  }

  get changedMs(): number {
    return this.#moment(0);
  }

  get modifiedMs(): number {
    return this.#moment(8);
  }

  /** Not 0 during a merge. */
  get stage(): number {
    return (this.#flags >> 28) & 3;
  }

  /** A sparse checkout leaves the file out, or the user set git to skip it. */
  get skipped(): boolean {
    return (this.#flags & 0x4000) !== 0;
  }

  /** The user set git to assume that the file is unchanged: git does not look at it. */
  get assumed(): boolean {
    return this.#flags < 0;
  }

  /** Added with `git add --intent-to-add`: its content is not staged. */
  get intended(): boolean {
    return (this.#flags & 0x2000) !== 0;
  }

  #number(at: number): number {
    return this.#index.data.readUInt32BE(this.#start + at);
  }

  /** Seconds and nanoseconds, 32 bits each. */
  #moment(at: number): number {
    return this.#number(at) * 1000 + this.#number(at + 4) / 1e6;
  }
}

/** Seven bits per byte, the highest first; each continuation adds one. */
function readVariableNumber(data: Buffer, start: number): [value: number, end: number] {
  let at = start;
  let byte = data.readUInt8(at);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    at += 1;
    byte = data.readUInt8(at);
    value = (value + 1) * 128 + (byte & 127);
  }
  return [value, at + 1];
}

/** The tree that the index contains. An extension that may not be skipped (a split index) cannot be read. */
function readExtensions(data: Buffer, start: number, idBytes: number): string | undefined {
  let treeId: string | undefined;
  let at = start;
  while (at + 8 <= data.length - idBytes) {
    const name = data.toString('latin1', at, at + 4);
    const content = data.subarray(at + 8, at + 8 + data.readUInt32BE(at + 4));
    if (name === 'link') throw new IndexError('its index is split');
    if (name !== 'sdir' && /^[a-z]/.test(name)) throw new IndexError('its index has an unknown extension');
    // The root's record: an empty path, the number of its entries (-1: invalid), of its folders, and its name.
    const [record, count] = /^\0(-?\d+) \d+\n/.exec(content.toString('latin1', 0, 64)) ?? [];
    if (name === 'TREE' && record !== undefined && Number(count) >= 0) {
      treeId = content.toString('hex', record.length, record.length + idBytes);
    }
    at += 8 + content.length;
  }
  return treeId;
}

/** A folder as git would commit it. */
interface StagedTree {
  readonly id: string;
  readonly children: ReadonlyMap<string, { readonly mode: number; readonly id: string }>;
}

/** Every folder as git would commit it, by its path with `/` at the end (empty for the root), made from the entries alone. */
export function stagedTrees(
  entries: readonly IndexEntry[],
  hash: 'sha1' | 'sha256',
): ReadonlyMap<string, StagedTree> {
  const staged = entries.filter((entry) => !entry.intended && entry.stage === 0);
  const trees = new Map<string, StagedTree>();
  let next = 0;
  const writeTree = (prefix: string): string => {
    const children = new Map<string, { readonly mode: number; readonly id: string }>();
    while (next < staged.length) {
      const entry = staged[next] as IndexEntry;
      if (!entry.path.startsWith(prefix)) break;
      const rest = entry.path.slice(prefix.length);
      const slash = rest.indexOf('/');
      if (slash < 0 || slash === rest.length - 1) {
        next += 1;
        children.set(slash < 0 ? rest : rest.slice(0, slash), entry);
      } else {
        const name = rest.slice(0, slash);
        children.set(name, { mode: 0o040000, id: writeTree(`${prefix}${name}/`) });
      }
    }
    const id = objectId('tree', treeContent(children), hash).toString('hex');
    trees.set(prefix, { id, children });
    return id;
  };
  writeTree('');
  return trees;
}

function treeContent(children: StagedTree['children']): Buffer {
  const parts = [...children].flatMap(([name, { mode, id }]) => [
    Buffer.from(`${mode.toString(8)} ${name}\0`),
    Buffer.from(id, 'hex'),
  ]);
  return Buffer.concat(parts);
}

export function objectId(type: 'blob' | 'tree', content: Uint8Array, hash: 'sha1' | 'sha256'): Buffer {
  return createHash(hash).update(`${type} ${content.byteLength}\0`).update(content).digest();
}

export function foldersAbove(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const above = path.slice(0, slash);
      if (folders.has(above)) break;
      folders.add(above);
    }
  return folders;
}
