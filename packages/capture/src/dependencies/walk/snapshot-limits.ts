// Limits the dependencies of a capture to one snapshot: whole files, the nearest to the folder first.

import { limits } from '@envsnap/shared/catalogue/limits';
import { NothingLeft } from '../parse-problem.ts';
import type { WarningLog } from '../warning-log.ts';

const maxNamed = 3;

interface Listed {
  readonly path: string;
  readonly packages: Record<string, string>;
  /** There was no room for the file, so its packages are not here. */
  readonly isLeftOut?: boolean;
}

/** Maximum bytes of dependency files that one capture reads. */
const maxReadBytes = 256 * 1024 * 1024;

export interface ReadBudget {
  /** Throws `NothingLeft` if that many bytes are too many. */
  spend(bytes: number): void;
}

export function createReadBudget(maxBytes = maxReadBytes): ReadBudget {
  let remaining = maxBytes;
  return {
    spend(bytes) {
      if (bytes > remaining) throw new NothingLeft();
      remaining -= bytes;
    },
  };
}

const { dependencyFilesPerSnapshot: maxFiles, packagesPerSnapshot: maxPackages } = limits;

/** Returns, for one file after the other (the nearest first), whether the snapshot still has room for it. */
export function createRoom(): (file: Listed) => boolean {
  let [files, packages, keyLength] = [0, 0, 0];
  return (file) => {
    const count = Object.keys(file.packages).length;
    // A comparison repeats the path for each package in the file.
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
 * The files that fit, and one warning for all others. A file is kept or left out as a whole, because half a list
 * would look like removed packages. Depends on paths and sizes only, so every capture makes the same choice.
 */
export function fitSnapshot<T extends Listed>(files: readonly T[], log: WarningLog): T[] {
  const { fitting: kept = [], others = [] } = Object.groupBy(
    [...files].sort(nearestFirst),
    keptBy(createRoom()),
  );
  if (others.length > 0)
    log.add({
      code: 'dependency_limit',
      message:
        `${others.length} of ${files.length} dependency files are not recorded (${namesOf(others)}): ` +
        `a capture reads at most ${maxReadBytes / 1024 / 1024} MiB of them, and a snapshot holds at most ${maxFiles} files and ${maxPackages} packages. ` +
        'Capture the parts separately with --dir.',
    });
  return kept;
}

function keptBy<File>(hasRoom: (file: File) => boolean): (file: File) => 'fitting' | 'others' {
  return (file) => (hasRoom(file) ? 'fitting' : 'others');
}

function namesOf(files: readonly { readonly path: string }[]): string {
  const named = files.slice(0, maxNamed).map(({ path }) => path);
  return `${named.join(', ')}${files.length > maxNamed ? ', …' : ''}`;
}

/** Maximum bytes of JSON for all sources: a part of the metadata. docs/specification.md §2. */
const maxSourceBytes = (limits.metadataBytes * 3) / 16;
/** Maximum characters for all digests of contents: about 8,000 packages. */
const maxContentLength = 40 * 1024;
/** Maximum bytes of JSON for all names. */
const maxDirectBytes = limits.metadataBytes / 16;

/** Sources, by file. Files beyond the limit are left out as a whole, with a warning. */
export function fitSources(
  files: readonly { readonly path: string; readonly sources: Record<string, string> }[],
  log: WarningLog,
): Record<string, Record<string, string>> {
  const listed = files.filter(({ sources }) => Object.keys(sources).length > 0);
  const size = ({ path, sources }: (typeof files)[number]) => jsonBytes([path, sources]);
  const { fitting, others } = fit(listed, maxSourceBytes, size);
  reportLeft(log, others, 'The origin of the packages of', 'is', maxSourceBytes);
  // Otherwise a comparison would assume the default registry for these packages.
  const leftOut = others.map(({ path }) => [path, { '?': '' }] as const);
  return byPath([...fitting.map(({ path, sources }) => [path, sources] as const), ...leftOut]);
}

/** Digests of contents by file, limited like {@link fitSources}. */
export function fitContents(
  files: readonly { readonly path: string; readonly contents: string }[],
  log: WarningLog,
): Record<string, string> {
  const listed = files.filter(({ contents }) => contents !== '');
  const size = ({ path, contents }: (typeof files)[number]) => path.length + contents.length;
  const { fitting, others } = fit(listed, maxContentLength, size);
  reportLeft(log, others, 'The content of the packages of', 'is', maxContentLength);
  // Otherwise a comparison would assume that these packages have no checksum.
  const leftOut = others.map(({ path }) => [path, ''] as const);
  return byPath([...fitting.map(({ path, contents }) => [path, contents] as const), ...leftOut]);
}

/**
 * The files that fit, with their packages. Only the order of packages depends on this list, so a file that does not
 * fit needs no warning.
 */
export function fitDirect(files: ReadonlyMap<string, readonly string[]>): Record<string, readonly string[]> {
  return byPath(fit([...files], maxDirectBytes, jsonBytes).fitting);
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function byPath<Value>(pairs: readonly (readonly [path: string, value: Value])[]): Record<string, Value> {
  return Object.assign(Object.create(null), Object.fromEntries(pairs));
}

function fit<File>(files: readonly File[], limit: number, sizeOf: (file: File) => number) {
  let remaining = limit;
  const { fitting = [], others = [] } = Object.groupBy(
    files,
    keptBy((file) => {
      const size = sizeOf(file);
      const isFitting = size <= remaining;
      if (isFitting) remaining -= size;
      return isFitting;
    }),
  );
  return { fitting, others };
}

function reportLeft(
  log: WarningLog,
  left: readonly { readonly path: string }[],
  what: string,
  verb: string,
  limit: number,
): void {
  const message = `${what} ${namesOf(left)} ${verb} not recorded: it would take more than ${limit / 1024} KiB. Their names and versions are recorded.`;
  if (left.length > 0) log.add({ code: 'dependency_sources_limit', message });
}

export function nearestFirst(a: Pick<Listed, 'path'>, b: Pick<Listed, 'path'>): number {
  return depth(a.path) - depth(b.path) || (a.path < b.path ? -1 : 1);
}

function depth(path: string): number {
  return path.split('/').length;
}
