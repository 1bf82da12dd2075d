// Content marks: five characters for each package, so that the checksums of a whole lock file fit into a snapshot.

/** Characters of one mark: the first is the kind of the checksums, the others are the checksums. */
const markLength = 5;
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The mark of a package without a checksum. */
const noMark = '.'.repeat(markLength);

/** FNV-1a is enough, because the texts are digests. */
export function textHash(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** The mark of a package, from hashes of its checksums and of their kinds, in any order. */
export function contentMark(kinds: Iterable<number>, checksums: Iterable<number>): string {
  const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, each) => (total + each) >>> 0, 0);
  const [kind, bits] = [sum(kinds) >>> 26, sum(checksums) >>> 8];
  return [kind, bits >>> 18, bits >>> 12, bits >>> 6, bits].map((part) => alphabet[part & 63]).join('');
}

/** The marks of all packages of a file, in the order of their names; empty if no package has one. */
export function packMarks(names: readonly string[], marks: ReadonlyMap<string, string>): string {
  return marks.size === 0 ? '' : names.map((name) => marks.get(name) ?? noMark).join('');
}

/** The mark of each package of a file. `names` are all of them, sorted. */
export function unpackMarks(names: readonly string[], packed: string): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  if (packed.length !== names.length * markLength) return marks;
  for (const [index, name] of names.entries()) {
    const mark = packed.slice(index * markLength, (index + 1) * markLength);
    if (mark !== noMark) marks.set(name, mark);
  }
  return marks;
}

/** Whether two marks mean that the contents differ; only checksums of the same kind can be compared. */
export function contentDiffers(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && a !== b && a[0] === b[0];
}
