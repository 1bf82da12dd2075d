// Reads commits, trees and small files from git's object store, loose or packed.
// https://git-scm.com/docs/gitformat-pack

import { type Spend, TooMuchWorkError } from '@envsnap/shared/work-budget';
import { fileSteps, tooMuchToRead } from '../../system/effort.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import type { Repository } from './repository.ts';

/** Largest object that is read, in bytes: a message of a commit, or a folder of some 100,000 files. */
const maxObjectBytes = 4 * 1024 * 1024;
/** Longest chain of deltas that is followed; git makes 50, or up to 4095 if configured. */
const maxDeltas = 4095;
/** Maximum size of all deltas in a chain, in bytes. */
const maxDeltaBytes = 64 * 1024 * 1024;
/** Maximum bytes that are read of the names in a pack's index that begin alike: the largest packs have a tenth. */
const maxNamesBytes = 64 * 1024 * 1024;
/** Maximum number of stores that a repository may borrow from. */
const maxStores = 20;
/** Steps that a command of a delta costs. */
const commandSteps = 5;

const objectTypes = { commit: 1, tree: 2, blob: 3 } as const;
type ObjectType = keyof typeof objectTypes;

/** An object by its name in hexadecimal; undefined if it is missing, has another type, or cannot be read. */
export async function readObject(
  machine: CapturedMachine,
  { commonFolder }: Repository,
  id: string,
  type: ObjectType,
): Promise<Buffer | undefined> {
  const { files } = machine;
  const own = files.paths.join(commonFolder, 'objects');
  const alternates = (await files.text(files.paths.join(own, 'info', 'alternates'))) ?? '';
  const borrowed = alternates.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  for (const store of [own, ...borrowed.slice(0, maxStores).map((line) => files.paths.resolve(own, line))])
    try {
      const loose = files.paths.join(store, id.slice(0, 2), id.slice(2));
      const content =
        (await looseObject(machine, loose, type)) ??
        (await packedObject(machine, files.paths.join(store, 'pack'), Buffer.from(id, 'hex'), type));
      if (content) return content;
    } catch (error) {
      if (error instanceof TooMuchWorkError) throw error;
      // Damaged, or being repacked right now: the next store may have it.
    }
  return undefined;
}

/** The tree of a commit in hexadecimal; undefined if the commit is missing or cannot be read. */
export async function treeOfCommit(machine: CapturedMachine, repository: Repository, commit: string) {
  const content = await readObject(machine, repository, commit, 'commit');
  return content && /^tree ([0-9a-f]+)\n/.exec(content.toString('latin1', 0, 80))?.[1];
}

/** One entry of a committed folder; `id` in hexadecimal. */
interface TreeEntry {
  readonly mode: number;
  readonly id: string;
}

/** The entries of a committed folder by name; undefined if it cannot be read. */
export async function readTree(machine: CapturedMachine, repository: Repository, id: string) {
  const content = await readObject(machine, repository, id, 'tree');
  if (!content) return undefined;
  const idBytes = id.length / 2;
  const entries = new Map<string, TreeEntry>();
  for (let at = 0; at < content.length; ) {
    const blank = content.indexOf(0x20, at);
    const end = content.indexOf(0, blank);
    const next = end + 1 + idBytes;
    if (blank < 0 || end < 0 || next > content.length) return undefined;
    const mode = Number.parseInt(content.toString('latin1', at, blank), 8);
    entries.set(content.toString('utf8', blank + 1, end), {
      mode,
      id: content.toString('hex', end + 1, next),
    });
    at = next;
  }
  return entries;
}

async function inflate(bytes: Uint8Array, maxBytes: number): Promise<Buffer> {
  const { constants, inflateSync } = await import('node:zlib');
  return inflateSync(bytes, { maxOutputLength: maxBytes, finishFlush: constants.Z_SYNC_FLUSH });
}

async function looseObject(machine: CapturedMachine, file: string, type: ObjectType) {
  machine.spend(fileSteps);
  const compressed = await machine.readFile(file, { length: maxObjectBytes }).catch(() => undefined);
  if (!compressed) return undefined;
  const whole = await inflate(compressed, maxObjectBytes);
  machine.spend(whole.length);
  const isWanted = whole.toString('latin1', 0, type.length + 1) === `${type} `;
  return isWanted ? whole.subarray(whole.indexOf(0) + 1) : undefined;
}

async function packedObject(machine: CapturedMachine, folder: string, id: Buffer, type: ObjectType) {
  for (const name of await machine.files.names(folder)) {
    if (!name.endsWith('.idx')) continue;
    const index = machine.files.paths.join(folder, name);
    const offset = await offsetInPack(machine, index, id);
    if (offset === undefined) continue;
    const pack = `${index.slice(0, -'.idx'.length)}.pack`;
    return readPacked(machine, { pack, index, idBytes: id.length, type: objectTypes[type] }, offset);
  }
  return undefined;
}

/** Looks an object up in a pack's index of version 2, reading little more than the names that begin alike. */
async function offsetInPack(
  machine: CapturedMachine,
  index: string,
  id: Buffer,
): Promise<number | undefined> {
  machine.spend(fileSteps);
  const read = async (at: number, bytes: number) =>
    Buffer.from(await machine.readFile(index, { offset: at, length: bytes }));
  const head = await read(0, 8 + 256 * 4);
  if (head.length < 1032 || head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2)
    return undefined;
  const countUpTo = (byte: number): number => (byte < 0 ? 0 : head.readUInt32BE(8 + byte * 4));
  const first = id[0] as number;
  const from = countUpTo(first - 1);
  const namesBytes = (countUpTo(first) - from) * id.length;
  if (namesBytes > maxNamesBytes) throw tooMuchToRead();
  machine.spend(namesBytes / 40);
  const names = await read(1032 + from * id.length, namesBytes);
  let [low, high] = [0, Math.floor(names.length / id.length)];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (names.compare(id, 0, id.length, middle * id.length, (middle + 1) * id.length) < 0) low = middle + 1;
    else high = middle;
  }
  if (!names.subarray(low * id.length, (low + 1) * id.length).equals(id)) return undefined;
  const position = from + low;
  const total = countUpTo(255);
  const offsets = 1032 + total * (id.length + 4);
  const short = (await read(offsets + position * 4, 4)).readUInt32BE(0);
  if (short < 0x80000000) return short;
  return Number((await read(offsets + total * 4 + (short - 0x80000000) * 8, 8)).readBigUInt64BE(0));
}

interface Pack {
  readonly pack: string;
  readonly index: string;
  readonly idBytes: number;
  /** The number of the requested type. */
  readonly type: number;
}

/** Types of deltas: of an object at an offset, and of one by its name. */
const [offsetDelta, nameDelta] = [6, 7];

/** Follows the chain of deltas to a whole object, and applies the deltas to it. */
async function readPacked(machine: CapturedMachine, source: Pack, offset: number): Promise<Buffer> {
  const deltas: Buffer[] = [];
  let remaining = maxDeltaBytes;
  for (let next = offset; deltas.length <= maxDeltas; ) {
    const { type, content, base } = await readRecord(machine, source, next);
    if (type === source.type)
      return deltas.reduceRight((on, delta) => applyDelta(on, delta, machine.spend), content);
    remaining -= content.length;
    if (base === undefined || base < 0 || remaining < 0) break;
    deltas.push(content);
    next = base;
  }
  throw new Error('of another type, or too long a chain of deltas');
}

/** A record of a pack: an object, or a delta with the place of its base. */
async function readRecord(machine: CapturedMachine, source: Pack, offset: number) {
  const start = Buffer.from(await machine.readFile(source.pack, { offset, length: 64 }));
  let at = 0;
  let byte = start.readUInt8(at);
  const type = (byte >> 4) & 7;
  let sizeBytes = byte & 15;
  for (let factor = 16; (byte & 128) !== 0; factor *= 128) {
    at += 1;
    byte = start.readUInt8(at);
    sizeBytes += (byte & 127) * factor;
  }
  at += 1;
  if (sizeBytes > maxObjectBytes) throw new Error('too large');
  let base: number | undefined;
  if (type === offsetDelta) {
    byte = start.readUInt8(at);
    let back = byte & 127;
    while ((byte & 128) !== 0) {
      at += 1;
      byte = start.readUInt8(at);
      back = (back + 1) * 128 + (byte & 127);
    }
    at += 1;
    base = offset - back;
  } else if (type === nameDelta) {
    base = await offsetInPack(machine, source.index, start.subarray(at, at + source.idBytes));
    at += source.idBytes;
  }
  // Compressed data is rarely larger than its content, and never much larger.
  const compressed = await machine.readFile(source.pack, { offset: offset + at, length: sizeBytes + 1024 });
  machine.spend(2 * fileSteps + sizeBytes);
  return { type, content: await inflate(compressed, sizeBytes + 1), base };
}

/** Builds an object from another one and a list of copies and insertions. */
function applyDelta(base: Buffer, delta: Buffer, spend: Spend): Buffer {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = delta.readUInt8(at);
      at += 1;
      value += (byte & 127) * factor;
      if ((byte & 128) === 0) return value;
    }
  };
  number();
  const sizeBytes = number();
  if (sizeBytes > maxObjectBytes) throw new Error('too large');
  spend(sizeBytes / 10);
  const built = Buffer.allocUnsafe(sizeBytes);
  let length = 0;
  const add = (source: Buffer, from: number, count: number): void => {
    spend(commandSteps);
    if (count === 0 || from + count > source.length || length + count > sizeBytes) throw new Error('damaged');
    length += source.copy(built, length, from, from + count);
  };
  while (at < delta.length) {
    const command = delta.readUInt8(at);
    at += 1;
    if ((command & 128) === 0) {
      add(delta, at, command);
      at += command;
      continue;
    }
    const field = (bits: number, count: number): number => {
      let value = 0;
      for (let index = 0; index < count; index += 1) {
        if ((bits & (1 << index)) === 0) continue;
        value += delta.readUInt8(at) * 256 ** index;
        at += 1;
      }
      return value;
    };
    const from = field(command & 15, 4);
    add(base, from, field((command >> 4) & 7, 3) || 0x10000);
  }
  if (length !== sizeBytes) throw new Error('damaged');
  return built;
}
