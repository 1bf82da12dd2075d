// Folders with a repository, of which each part grows: what is in the index, in packs and trees, and in lists of patterns.

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** Fills a folder; what grows is there `count` times. */
type Fill = (folder: string, count: number) => void;

/** One part of a repository that grows, and how often it is there at most. */
export interface GrowingRepository {
  readonly name: string;
  readonly count: number;
  /** Why it is not known then, where so much lies beyond a bound. */
  readonly unknown?: string;
  readonly fill: Fill;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const sha1 = (content: Buffer): Buffer => createHash('sha1').update(content).digest();

function uint32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

interface Staged {
  readonly path: string;
  readonly mode?: number;
  readonly id?: Buffer;
  /** Of version 4: how many characters of the path before it end, and what follows in their place. */
  readonly removed?: number;
}

/** The number of an index of version 4, below 2^14. */
const varying = (value: number): Buffer =>
  Buffer.from(value < 128 ? [value] : [128 | ((value >> 7) - 1), value & 127]);

function index(version: 2 | 4, entries: readonly Staged[]): Buffer {
  const parts = [Buffer.from('DIRC'), uint32(version, entries.length)];
  for (const { path: name, mode = 0o100644, id = Buffer.alloc(20, 1), removed = 0 } of entries) {
    const head = Buffer.concat([uint32(0, 0, 0, 0, 0, 0, mode, 0, 0, 0), id, Buffer.from([0, 0])]);
    const rest = Buffer.from(`${name}\0`);
    const padding =
      version === 2 ? Buffer.alloc((8 - ((head.length + rest.length) % 8)) % 8) : Buffer.alloc(0);
    parts.push(head, version === 4 ? varying(removed) : Buffer.alloc(0), rest, padding);
  }
  return Buffer.concat([...parts, Buffer.alloc(20)]);
}

const write = (folder: string, name: string, content: string | Buffer): void => {
  mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
  writeFileSync(path.join(folder, name), content);
};

function repository(
  folder: string,
  entries: readonly Staged[],
  head = 'ref: refs/heads/a\n',
  version: 2 | 4 = 2,
): void {
  write(folder, '.git/HEAD', head);
  write(folder, '.git/index', index(version, entries));
}

/** Puts a loose object into the store and gives its name. */
function object(folder: string, type: string, content: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = sha1(whole);
  const name = id.toString('hex');
  write(folder, `.git/objects/${name.slice(0, 2)}/${name.slice(2)}`, deflateSync(whole));
  return id;
}

const tree = (
  folder: string,
  entries: readonly (readonly [mode: string, name: string, id: Buffer])[],
): Buffer =>
  object(
    folder,
    'tree',
    Buffer.concat(entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), id])),
  );

const commit = (folder: string, id: Buffer): string =>
  object(folder, 'commit', Buffer.from(`tree ${id.toString('hex')}\n\n`)).toString('hex');

/** A file of a folder, and others that are the same file. */
function sameFiles(folder: string, names: readonly string[], content: string): void {
  for (const [at, name] of names.entries()) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    if (at === 0) writeFileSync(path.join(folder, name), content);
    else linkSync(path.join(folder, names[0] as string), path.join(folder, name));
  }
}

const pad = (at: number): string => String(at).padStart(6, '0');
const longName = (at: number): string => `${'a'.repeat(100)}${pad(at)}`;
const staged = (count: number, name: (at: number) => string): Staged[] =>
  numbers(count).map((at) => ({ path: name(at) }));
/** Patterns on which a matcher goes back often, and that fit nothing. */
const patterns = (count: number): string[] => numbers(count).map((at) => `*${'a*'.repeat(8)}b${at}`);

/** A pack with a commit that is a chain of deltas, each of which is made of as many commands as may be. */
function chain(folder: string, count: number): void {
  const size = 64 * 1024;
  const sized = (bytes: number): number[] => [
    (bytes & 127) | 128,
    ((bytes >> 7) & 127) | 128,
    ((bytes >> 14) & 127) | 128,
    bytes >> 21,
  ];
  const record = (type: number, content: Buffer, packed: Buffer, ...base: Buffer[]): Buffer =>
    Buffer.concat([
      Buffer.from([
        (type << 4) | (content.length & 15) | 128,
        ((content.length >> 4) & 127) | 128,
        ((content.length >> 11) & 127) | 128,
        content.length >> 18,
      ]),
      ...base,
      packed,
    ]);
  const names = numbers(count + 1).map((at) => sha1(uint32(at)));
  const whole = Buffer.alloc(size);
  // Copies of one byte each.
  const delta = Buffer.concat([
    Buffer.from([...sized(size), ...sized(size)]),
    Buffer.alloc(size * 2, Buffer.from([0x90, 1])),
  ]);
  const [packedWhole, packedDelta] = [deflateSync(whole), deflateSync(delta)];
  const records = names.map((_, at) =>
    at === 0 ? record(1, whole, packedWhole) : record(7, delta, packedDelta, names[at - 1] as Buffer),
  );
  const offsets = [12];
  for (const [at, { length }] of records.entries()) offsets.push((offsets[at] as number) + length);
  const order = numbers(count + 1).sort((a, b) => (names[a] as Buffer).compare(names[b] as Buffer));
  const counts = numbers(256).map((byte) => names.filter(([first = 0]) => first <= byte).length);
  write(
    folder,
    '.git/objects/pack/a.pack',
    Buffer.concat([Buffer.from('PACK'), uint32(2, count + 1), ...records]),
  );
  write(
    folder,
    '.git/objects/pack/a.idx',
    Buffer.concat([
      uint32(0xff744f63, 2, ...counts),
      ...order.map((each) => names[each] as Buffer),
      Buffer.alloc(4 * (count + 1)),
      uint32(...order.map((each) => offsets[each] as number)),
    ]),
  );
  repository(folder, [], names[count]?.toString('hex'));
}

/** Work trees of one repository, each a submodule of all. */
function sharedSubmodules(folder: string, count: number): void {
  for (const name of submodules(folder, count))
    write(folder, `${name}/.git`, `gitdir: ${path.join(folder, '.git')}\n`);
}

/** A repository with so many of them, all at one empty commit; their names. */
function submodules(folder: string, count: number): string[] {
  const names = numbers(count).map(pad);
  const head = commit(folder, tree(folder, []));
  const id = Buffer.from(head, 'hex');
  const entries = names.map((name) => ({ path: name, mode: 0o160000, id }));
  repository(folder, entries, head);
  return names;
}

const tooMuch = 'reading it would take too much time or memory';

/** What /proc holds says that it is empty, and may have no end. */
const endless: GrowingRepository = {
  name: 'an index that is a link to the memory of the reader',
  count: 10,
  unknown: 'its index is damaged',
  fill(folder) {
    write(folder, '.git/HEAD', 'ref: refs/heads/a\n');
    symlinkSync('/proc/self/pagemap', path.join(folder, '.git/index'));
  },
};

export const growingRepositories: readonly GrowingRepository[] = [
  ...(process.platform === 'linux' ? [endless] : []),
  {
    name: 'entries of the index',
    count: 20_000,
    fill: (folder, count) =>
      repository(
        folder,
        staged(count, (at) => `a/${pad(at)}`),
      ),
  },
  {
    name: 'paths that each begin with the one before',
    count: 20_000,
    unknown: 'its index has too long a path',
    fill: (folder, count) =>
      repository(
        folder,
        staged(count, () => 'a'.repeat(30)),
        undefined,
        4,
      ),
  },
  {
    name: 'folders of one path',
    count: 200_000,
    unknown: 'its index has too long a path',
    fill: (folder, count) => repository(folder, [{ path: `${'a/'.repeat(count)}a` }]),
  },
  {
    name: 'paths of many folders',
    count: 1000,
    unknown: tooMuch,
    fill: (folder, count) =>
      repository(
        folder,
        staged(count, (at) => `${pad(at)}/${'a/'.repeat(2000)}a`),
      ),
  },
  {
    name: 'submodules that are links to the repository',
    count: 20,
    unknown: 'the submodule 000000 is a link to another one',
    fill(folder, count) {
      for (const name of submodules(folder, count)) symlinkSync('.', path.join(folder, name));
    },
  },
  { name: 'submodules that share one index', count: 100, unknown: tooMuch, fill: sharedSubmodules },
  {
    name: 'submodules that share one index, and its settings',
    count: 60,
    unknown: tooMuch,
    fill(folder, count) {
      sharedSubmodules(folder, count);
      write(folder, '.git/config', `[a]\n${'a=b\n'.repeat(count * 500)}`);
    },
  },
  {
    name: 'staged folders of one committed tree',
    count: 1000,
    unknown: tooMuch,
    fill(folder, count) {
      const treeOf = (mode: string, id: Buffer) => {
        const entries = numbers(count).map((at) => [mode, pad(at), id] as const);
        return tree(folder, entries);
      };
      const root = treeOf('40000', treeOf('100644', Buffer.alloc(20, 2)));
      const entries = staged(count, (at) => `${pad(at)}/a`);
      repository(folder, entries, commit(folder, root));
    },
  },
  { name: 'deltas', count: 50, unknown: tooMuch, fill: chain },
  {
    name: 'rules of attributes and files that they are tried on',
    count: 1000,
    unknown: tooMuch,
    fill(folder, count) {
      const names = staged(count, longName);
      const files = names.map(({ path: name }) => name);
      const rules = patterns(count).map((pattern) => `${pattern} text\n`);
      sameFiles(folder, files, 'x');
      write(folder, '.gitattributes', rules.join(''));
      repository(folder, names);
    },
  },
  {
    name: 'lines of .gitignore and files that they are tried on',
    count: 1000,
    unknown: tooMuch,
    fill(folder, count) {
      const names = numbers(count).map(longName);
      sameFiles(folder, names, 'x');
      write(folder, '.gitignore', patterns(count).join('\n'));
      repository(folder, []);
    },
  },
  {
    name: 'folders in folders with the same .gitignore',
    count: 150,
    unknown: tooMuch,
    fill(folder, count) {
      const places = numbers(count).map((at) => 'a/'.repeat(at));
      const lists = places.map((place) => `${place}.gitignore`);
      sameFiles(folder, lists, 'a*b\n'.repeat(1000));
      for (const place of places) mkdirSync(path.join(folder, place, 'b'));
      repository(folder, []);
    },
  },
];
