// Finds dependency files in a folder and below it: which folders it enters, what it leaves out, and where it stops.

import { posix } from 'node:path';
import { type Format, formatOf } from '@envsnap/shared/catalogue/formats';
import { TooMuchWorkError } from '@envsnap/shared/work-budget';
import { endsRepositoryAbove } from '../../project/git/repository.ts';
import type { TrackedFiles } from '../../project/git/tracked-files.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import { unreadKinds } from '../../system/machine-files.ts';
import type { DirectoryEntry } from '../../system/system.ts';
import type { WarningLog } from '../warning-log.ts';
import { addRules, type IgnoreRules, rulesAbove, rulesOfRepository } from './gitignore.ts';

/** A dependency file, with the format of its name. */
export interface FoundFile {
  /** Relative to the captured folder with `/`. */
  readonly path: string;
  readonly format: Format;
}

/** Limits of a walk: folders, entries of all folders together, levels below the captured folder. */
const defaultLimits = { folders: 200_000, entries: 3_000_000, depth: 100 };

/** Folders of installed or built files, in which no project keeps its own lists. docs/specification.md §10. */
const excludedFolders = new Set(
  `.git .hg .svn .jj node_modules bower_components vendor target dist`.split(/\s+/),
);

interface Folder {
  /** Relative to the captured folder, empty for the folder itself. */
  readonly path: string;
  readonly depth: number;
  readonly rules: IgnoreRules;
  /** This folder relative to the rules' base. */
  readonly rulesPath: string;
}

/**
 * All dependency files below a folder, in no particular order. A folder that cannot be read is a warning. A file that
 * git tracks is always found, even if a rule ignores it.
 */
export async function findDependencyFiles(
  machine: CapturedMachine,
  folder: string,
  log: WarningLog,
  limits = defaultLimits,
  tracked?: TrackedFiles,
): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  const queue: Folder[] = [];
  let folders = 0;
  let entriesSeen = 0;
  const warn = (code: string, file: string, message: string) => log.add({ code, message, file });
  const stop = (message: string): void => {
    log.add({ code: 'dependency_walk_stopped', message });
    queue.length = 0;
  };
  const stopBeyond = (what: string): void =>
    stop(`The folder has more than ${what}; dependency files beyond that were not read.`);

  async function visit(at: Folder): Promise<void> {
    folders += 1;
    if (folders > limits.folders) return stopBeyond(`${limits.folders} subfolders`);
    let entries: readonly DirectoryEntry[];
    try {
      entries = await machine.readDirectory(below(folder, at.path));
    } catch (error) {
      const problem = `The folder ${at.path || '.'} cannot be read (${errorCode(error)})`;
      const message = `${problem}; dependency files in it are not recorded.`;
      return warn('folder_unreadable', at.path || '.', message);
    }
    entriesSeen += entries.length;
    if (entriesSeen > limits.entries) return stopBeyond(`${limits.entries} files`);
    const names = new Set(entries.map((entry) => entry.name));
    // Virtual environments of Python and conda environments contain installed packages.
    if (at.depth > 0 && (names.has('pyvenv.cfg') || names.has('conda-meta'))) return;
    const inner = await rulesInside(at, names);
    // Most names match no format.
    for (const entry of entries)
      if (entry.kind !== 'file' || formatIn(at, entry.name)) await consider(entry, inner, names);
  }

  async function rulesInside(at: Folder, names: ReadonlySet<string>): Promise<Folder> {
    let { rules, rulesPath } = at;
    const absolute = below(folder, at.path);
    if (at.depth > 0 && names.has('.git') && (await endsRepositoryAbove(machine.files, absolute))) {
      rules = await rulesOfRepository(machine, absolute);
      rulesPath = '';
    }
    if (names.has('.gitignore')) {
      rules = await addRules(machine, rules, rulesPath);
      const file = posix.join(at.path, '.gitignore');
      const message = `${rules.skippedPatterns} pattern(s) of ${file} are longer than 1,024 characters and were not applied.`;
      if (rules.skippedPatterns > 0) warn('ignore_pattern_skipped', file, message);
    }
    return { path: at.path, depth: at.depth, rules, rulesPath };
  }

  async function consider(entry: DirectoryEntry, at: Folder, names: ReadonlySet<string>): Promise<void> {
    const path = inFolder(at.path, entry.name);
    const rulesPath = inFolder(at.rulesPath, entry.name);
    if (entry.kind === 'directory') {
      if (entry.name === 'vendor' && names.has('go.mod')) await considerGoVendor(path, rulesPath, at);
      // Only tracked files of an ignored folder belong to the project.
      const isOutside = at.rules.ignores(`${rulesPath}/`) && !tracked?.folders.has(path);
      if (excludedFolders.has(entry.name) || isOutside) return;
      // A folder may have the name of a dependency file.
      const isFile = entry.name.includes('.') && formatIn(at, entry.name)?.parser !== undefined;
      if (isFile) reportUnreadable(path, unreadKinds.directory);
      if (at.depth < limits.depth) queue.push({ path, depth: at.depth + 1, rules: at.rules, rulesPath });
      else {
        const message = `The folder ${path} lies more than ${limits.depth} levels deep and was not searched.`;
        warn('folder_too_deep', path, message);
      }
      return;
    }
    const format = formatIn(at, entry.name);
    const stem = entry.name.replace(/\.[^.]*$/, '');
    if (format?.voidBeside?.some((name) => names.has(name.replace('*', stem)))) return;
    const isIgnoredHere = at.rules.ignores(rulesPath) && !tracked?.files.has(path);
    const isWanted = format !== undefined && (!isIgnoredHere || isOwnLock(format, at, names));
    if (entry.kind === 'symlink') {
      if (format ? isWanted : !at.rules.ignores(rulesPath)) await considerLink(path, at, format);
    } else if (isWanted && entry.kind === 'file') found.push({ path, format });
    else if (isWanted) reportUnreadable(path, unreadKinds.other);
  }

  /** By the names in a folder: manifests, and whether one of them is there and not ignored. */
  const manifestsIn = new WeakMap<ReadonlySet<string>, Map<string, boolean>>();

  /** Lock files that git ignores may differ at the same commit. They are recorded if their manifest is there. */
  function isOwnLock(format: Format, at: Folder, names: ReadonlySet<string>): boolean {
    const isOwn = (name: string) => !at.rules.ignores(posix.join(at.rulesPath, name));
    const known = manifestsIn.get(names) ?? new Map<string, boolean>();
    manifestsIn.set(names, known);
    return (format.manifests ?? []).some((name) => {
      const answer =
        known.get(name) ??
        (name.startsWith('*')
          ? [...names].some((each) => each.endsWith(name.slice(1)) && isOwn(each))
          : names.has(name) && isOwn(name));
      known.set(name, answer);
      return answer;
    });
  }

  function reportUnreadable(path: string, reason: string): void {
    const message = `${path} is not recorded: ${reason}.`;
    log.add({ code: 'dependency_file_unreadable', message, reason, file: path });
  }

  /** Go's list of vendored modules is a lock file although it is in an excluded folder. */
  async function considerGoVendor(path: string, rulesPath: string, at: Folder): Promise<void> {
    const file = posix.join(path, 'modules.txt');
    const format = formatOf('modules.txt', 'vendor');
    if (!format || at.rules.ignores(posix.join(rulesPath, 'modules.txt'))) return;
    const status = await machine.status(posix.join(folder, file)).catch(() => undefined);
    if (status?.kind === 'file') found.push({ path: file, format });
  }

  /** Links to folders are not followed: a target inside the captured folder is found directly. */
  async function considerLink(path: string, at: Folder, format: Format | undefined): Promise<void> {
    if (excludedFolders.has(posix.basename(path))) return;
    const absolute = posix.join(folder, path);
    const skip = (what: string, done: 'read' | 'followed') => {
      const message = `${path} is a symbolic link ${what} and is not ${done}.`;
      const unread = format && { reason: `it is a symbolic link ${what}` };
      log.add({ code: 'link_skipped', message, file: path, ...unread });
    };
    try {
      const { kind } = await machine.status(absolute);
      if (kind !== 'file' && format) return reportUnreadable(path, unreadKinds[kind]);
      if (kind === 'other' || (kind === 'file' && !format)) return;
      const [target, root] = await Promise.all([machine.realPath(absolute), machine.realPath(folder)]);
      if (kind === 'file' && format) {
        if (isWithin(target, root) || isWithin(target, await machine.realPath(at.rules.base)))
          found.push({ path, format });
        else skip('to a file outside the captured folder', 'read');
      } else if (isWithin(posix.join(root, at.path), target))
        skip('to a folder above it (a loop)', 'followed');
      else if (!isWithin(target, root)) skip('to a folder outside the captured folder', 'followed');
    } catch (error) {
      // A dangling link is reported only if it has the name of a dependency file.
      const code = errorCode(error);
      if (code === 'ELOOP') skip('in a loop', 'read');
      else if (format) skip(`that leads nowhere (${code})`, 'read');
    }
  }

  try {
    const rules = await rulesAbove(machine, folder);
    queue.push({ path: '', depth: 0, rules, rulesPath: posix.relative(rules.base, folder) });
    for (let at = queue.pop(); at; at = queue.pop()) await visit(at);
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    stop(
      'There are too many .gitignore rules to apply; the remaining folders were not searched for dependency files.',
    );
  }
  return found;
}

function formatIn({ path }: Folder, name: string): Format | undefined {
  return formatOf(name, path.slice(path.lastIndexOf('/') + 1));
}

/** Joins a path to an absolute folder, both normalised. A walk of a large tree spends most of its time here. */
export function below(folder: string, path: string): string {
  if (path === '') return folder;
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
}

/** Joins a name without slashes; faster than the general function. */
function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function isWithin(path: string, folder: string): boolean {
  const normal = path.replaceAll('\\', '/');
  const base = folder.replaceAll('\\', '/').replace(/\/$/, '');
  return normal === base || normal.startsWith(`${base}/`);
}

export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
