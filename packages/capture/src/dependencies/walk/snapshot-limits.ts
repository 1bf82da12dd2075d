// Keeps the dependencies of a capture within what one snapshot holds: whole files, those nearest to the folder first.

import { limits } from '@envsnap/shared/catalogue/limits';
import type { WarningLog } from '../warning-log.ts';

const maxNamed = 3;

interface Listed {
  readonly path: string;
  readonly packages: Record<string, string>;
  /** There was no room for it: its packages are not here any more. */
  readonly isLeftOut?: boolean;
}

/** Bytes of dependency files that one capture reads. */
const maxReadBytes = 256 * 1024 * 1024;

/** A file for which nothing is left of what a capture reads. */
export class NothingLeft extends Error {}

/** What a capture may still read of dependency files. */
export interface ReadBudget {
  /** Throws `NothingLeft` where that many bytes are too many. */
  spend(bytes: number): void;
}

export function createReadBudget(maxBytes = maxReadBytes): ReadBudget {
  let left = maxBytes;
  return {
    spend(bytes) {
      if (bytes > left) throw new NothingLeft();
      left -= bytes;
    },
  };
}

const { dependencyFilesPerSnapshot: maxFiles, packagesPerSnapshot: maxPackages } = limits;

/** Answers for one file after the other, those nearest to the folder first, whether a snapshot has room for it beside the others. */
export function createRoom(): (file: Listed) => boolean {
  let files = 0;
  let packages = 0;
  let keyLength = 0;
  return (file) => {
    const count = Object.keys(file.packages).length;
    // A comparison repeats the path for each package of the file.
    const keys = file.path.length * count;
    if (file.isLeftOut || files === maxFiles || packages + count > maxPackages) return false;
    if (keyLength + keys > limits.dependencyKeyLength) return false;
    files += 1;
    packages += count;
    keyLength += keys;
    return true;
  };
}

/**
 * The files that fit, with one warning for all that do not. A file is kept or left out as a whole, since half a list
 * would compare as packages removed; the choice depends on paths and sizes only, so that it is the same each time.
 */
export function fitSnapshot<T extends Listed>(files: readonly T[], log: WarningLog): T[] {
  const kept: T[] = [];
  const left: string[] = [];
  const hasRoom = createRoom();
  for (const file of [...files].sort(nearestFirst)) {
    if (hasRoom(file)) kept.push(file);
    else left.push(file.path);
  }
  if (left.length > 0) {
    const named = left.slice(0, maxNamed).join(', ');
    log.add({
      code: 'dependency_limit',
      message:
        `${left.length} of ${files.length} dependency files are not recorded (${named}${left.length > maxNamed ? ', …' : ''}): ` +
        `a capture reads at most ${maxReadBytes / 1024 / 1024} MiB of them, and a snapshot holds at most ${maxFiles} files and ${maxPackages} packages. ` +
        'Capture parts by themselves with --dir.',
    });
  }
  return kept;
}

/** All sources together, in bytes of JSON: a part of what metadata may have. docs/specification.md §2. */
const maxSourceBytes = (limits.metadataBytes * 3) / 16;

/** All marks of contents together, in characters: those of some 8,000 packages. */
const maxContentLength = 40 * 1024;

/** The sources of files that have any, by path; files beyond the limit are left out as a whole, with a warning. */
export function fitSources(
  files: readonly { readonly path: string; readonly sources: Record<string, string> }[],
  log: WarningLog,
): Record<string, Record<string, string>> {
  const listed = files.filter(({ sources }) => Object.keys(sources).length > 0);
  const size = (path: string, sources: Record<string, string>) =>
    Buffer.byteLength(JSON.stringify([path, sources]));
  const { kept, left } = fit(listed, maxSourceBytes, ({ path, sources }) => size(path, sources));
  reportLeft(log, left, 'Where the packages of', 'come from is', maxSourceBytes);
  // A comparison must not take what is left out for packages of the usual registry.
  const pairs = [
    ...kept.map(({ path, sources }) => [path, sources]),
    ...left.map((path) => [path, { '?': '' }]),
  ];
  return Object.assign(Object.create(null), Object.fromEntries(pairs));
}

/** The marks of contents of files that have any, by path, as {@link fitSources} does it. */
export function fitContents(
  files: readonly { readonly path: string; readonly contents: string }[],
  log: WarningLog,
): Record<string, string> {
  const listed = files.filter(({ contents }) => contents !== '');
  const { kept, left } = fit(listed, maxContentLength, ({ path, contents }) => path.length + contents.length);
  reportLeft(log, left, 'What the packages of', 'contain is', maxContentLength);
  return Object.assign(
    Object.create(null),
    Object.fromEntries(kept.map((each) => [each.path, each.contents])),
  );
}

/** The files that fit, in the given order, and the paths of the others. */
function fit<File extends { readonly path: string }>(
  files: readonly File[],
  limit: number,
  sizeOf: (file: File) => number,
): { kept: File[]; left: string[] } {
  const kept: File[] = [];
  const left: string[] = [];
  let used = 0;
  for (const file of files) {
    const size = sizeOf(file);
    if (used + size > limit) left.push(file.path);
    else {
      kept.push(file);
      used += size;
    }
  }
  return { kept, left };
}

function reportLeft(
  log: WarningLog,
  left: readonly string[],
  what: string,
  verb: string,
  limit: number,
): void {
  if (left.length === 0) return;
  const named = `${left.slice(0, maxNamed).join(', ')}${left.length > maxNamed ? ', …' : ''}`;
  log.add({
    code: 'dependency_sources_limit',
    message: `${what} ${named} ${verb} not recorded: it would take more than ${limit / 1024} KiB. Their names and versions are.`,
  });
}

/** All names together, in bytes of JSON. */
const maxDirectBytes = limits.metadataBytes / 16;

/** The files with their packages that fit: only their order hangs on it, so that nothing is said of the others. */
export function fitDirect(files: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const listed = [...files].map(([path, names]) => ({ path, names }));
  const { kept } = fit(listed, maxDirectBytes, ({ path, names }) =>
    Buffer.byteLength(JSON.stringify([path, names])),
  );
  return Object.assign(Object.create(null), Object.fromEntries(kept.map((each) => [each.path, each.names])));
}

export function nearestFirst(a: Pick<Listed, 'path'>, b: Pick<Listed, 'path'>): number {
  return depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1);
}

function depth(path: string): number {
  return path.split('/').length;
}
