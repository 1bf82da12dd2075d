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

/** The sources of files that have any, by path; files beyond the limit are left out as a whole, with a warning. */
export function fitSources(
  files: readonly { readonly path: string; readonly sources: Record<string, string> }[],
  log: WarningLog,
): Record<string, Record<string, string>> {
  const kept: Record<string, Record<string, string>> = Object.create(null);
  const left: string[] = [];
  let bytes = 0;
  for (const { path, sources } of files) {
    if (Object.keys(sources).length === 0) continue;
    const size = Buffer.byteLength(JSON.stringify([path, sources]));
    if (bytes + size > maxSourceBytes) left.push(path);
    else {
      kept[path] = sources;
      bytes += size;
    }
  }
  if (left.length > 0) {
    log.add({
      code: 'dependency_sources_limit',
      message:
        `Where the packages of ${left.slice(0, maxNamed).join(', ')}${left.length > maxNamed ? ', …' : ''} come from is not recorded: ` +
        `it would take more than ${maxSourceBytes / 1024} KiB. Their names and versions are.`,
    });
  }
  return kept;
}

/** All names together, in bytes of JSON. */
const maxDirectBytes = limits.metadataBytes / 16;

/** The files with their packages that fit: only their order hangs on it, so that nothing is said of the others. */
export function fitDirect(files: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  const kept: Record<string, readonly string[]> = Object.create(null);
  let bytes = 0;
  for (const [path, names] of files) {
    const size = Buffer.byteLength(JSON.stringify([path, names]));
    if (bytes + size > maxDirectBytes) continue;
    kept[path] = names;
    bytes += size;
  }
  return kept;
}

export function nearestFirst(a: Pick<Listed, 'path'>, b: Pick<Listed, 'path'>): number {
  return depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1);
}

function depth(path: string): number {
  return path.split('/').length;
}
