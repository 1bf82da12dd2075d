// Folders with a repository, of which each part grows: what is in the index, in packs and trees, and in lists of patterns.

import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deflateSync } from 'node:zlib';

/** Fills a folder; the growing part occurs `count` times. */
type Fill = (folder: string, count: number) => void;

/** One part of a repository that grows, and its maximum number. */
export interface GrowingRepository {
  readonly name: string;
  readonly count: number;
  /** Why the result is then unknown, if that many exceed a limit. */
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

/** A file in a folder, and other links to it. */
function sameFiles(folder: string, names: readonly string[], content: string): void {
  for (const [at, name] of names.entries()) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    if (at === 0) writeFileSync(path.join(folder, name), content);
    else linkSync(path.join(folder, names[0] as string), path.join(folder, name));
  }
}

const pad = (at: number): string => String(at).padStart(6, '0');
/** Patterns that make a matcher backtrack often, and that match nothing. */
const patterns = (count: number): string[] => numbers(count).map((at) => `*${'a*'.repeat(8)}b${at}`);

/** A pack with a commit that is a chain of deltas, each with as many commands as allowed. */
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

/** Work trees of one repository, each a submodule of all others. */
function sharedSubmodules(folder: string, count: number): void {
  const names = numbers(count).map(pad);
  const head = commit(folder, tree(folder, []));
  repository(
    folder,
    names.map((name) => ({ path: name, mode: 0o160000, id: Buffer.from(head, 'hex') })),
    head,
  );
  for (const name of names) write(folder, `${name}/.git`, `gitdir: ${path.join(folder, '.git')}\n`);
}

const tooMuch = 'reading it would take too much time or memory';

/** Files of /proc have the size 0, but may have no end. */
const endless: GrowingRepository = {
  name: 'an index that is a link to the memory of the reader',
  count: 10,
  unknown: 'its index is damaged',
  fill(folder) {
    write(folder, '.git/HEAD', 'ref: refs/heads/a\n');
    symlinkSync('/proc/self/pagemap', path.join(folder, '.git/index'));
  },
};

const growing = (
  name: string,
  count: number,
  unknown: string | undefined,
  fill: Fill,
): GrowingRepository => ({ name, count, fill, ...(unknown !== undefined && { unknown }) });

export const growingRepositories: readonly GrowingRepository[] = [
  ...(process.platform === 'linux' ? [endless] : []),
  growing('entries of the index', 10_000, undefined, (folder, count) =>
    repository(
      folder,
      numbers(count).map((at) => ({ path: `a/${pad(at)}` })),
    ),
  ),
  growing(
    'paths that each begin with the one before',
    20_000,
    'its index has too long a path',
    (folder, count) =>
      repository(
        folder,
        numbers(count).map(() => ({ path: 'a'.repeat(30) })),
        undefined,
        4,
      ),
  ),
  growing('folders of one path', 200_000, 'its index has too long a path', (folder, count) =>
    repository(folder, [{ path: `${'a/'.repeat(count)}a` }]),
  ),
  growing('paths of many folders', 1000, tooMuch, (folder, count) =>
    repository(
      folder,
      numbers(count).map((at) => ({ path: `${pad(at)}/${'a/'.repeat(2000)}a` })),
    ),
  ),
  growing(
    'submodules that are links to the repository',
    20,
    'the submodule 000000 is a link to another one',
    (folder, count) => {
      const names = numbers(count).map(pad);
      const head = commit(folder, tree(folder, []));
      repository(
        folder,
        names.map((name) => ({ path: name, mode: 0o160000, id: Buffer.from(head, 'hex') })),
        head,
      );
      for (const name of names) symlinkSync('.', path.join(folder, name));
    },
  ),
  growing('submodules that share one index', 100, tooMuch, sharedSubmodules),
  growing('submodules that share one index, and its settings', 60, tooMuch, (folder, count) => {
    sharedSubmodules(folder, count);
    write(folder, '.git/config', `[a]\n${'a=b\n'.repeat(count * 500)}`);
  }),
  growing('staged folders of one committed tree', 1000, tooMuch, (folder, count) => {
    const shared = tree(
      folder,
      numbers(count).map((at) => ['100644', pad(at), Buffer.alloc(20, 2)] as const),
    );
    const root = tree(
      folder,
      numbers(count).map((at) => ['40000', pad(at), shared] as const),
    );
    repository(
      folder,
      numbers(count).map((at) => ({ path: `${pad(at)}/a` })),
      commit(folder, root),
    );
  }),
  growing('deltas', 50, tooMuch, chain),
  growing('rules of attributes and files that they are tried on', 1000, tooMuch, (folder, count) => {
    const names = numbers(count).map((at) => `${'a'.repeat(100)}${pad(at)}`);
    sameFiles(folder, names, 'x');
    write(
      folder,
      '.gitattributes',
      patterns(count)
        .map((pattern) => `${pattern} text\n`)
        .join(''),
    );
    repository(
      folder,
      names.map((name) => ({ path: name })),
    );
  }),
  growing('lines of .gitignore and files that they are tried on', 1000, tooMuch, (folder, count) => {
    sameFiles(
      folder,
      numbers(count).map((at) => `${'a'.repeat(100)}${pad(at)}`),
      'x',
    );
    write(folder, '.gitignore', patterns(count).join('\n'));
    repository(folder, []);
  }),
  growing('folders in folders with the same .gitignore', 150, tooMuch, (folder, count) => {
    const places = numbers(count).map((at) => 'a/'.repeat(at));
    sameFiles(
      folder,
      places.map((place) => `${place}.gitignore`),
      'a*b\n'.repeat(1000),
    );
    for (const place of places) mkdirSync(path.join(folder, place, 'b'));
    repository(folder, []);
  }),
];
