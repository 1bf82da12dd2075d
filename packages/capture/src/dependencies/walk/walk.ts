// Finds dependency files in a folder and below it: what is looked into, what is left out, and where it stops.

import { posix } from 'node:path';
import { type Format, formatOf } from '@envsnap/shared/catalogue/formats';
import { TooMuchWorkError } from '@envsnap/shared/work-budget';
import { endsRepositoryAbove } from '../../project/git/repository.ts';
import type { TrackedFiles } from '../../project/git/tracked-files.ts';
import type { CapturedMachine } from '../../system/machine.ts';
import type { DirectoryEntry } from '../../system/system.ts';
import type { WarningLog } from '../warning-log.ts';
import { addRules, type IgnoreRules, rulesAbove, rulesOfRepository } from './ignore-rules.ts';

/** A dependency file and the format that its name shows. */
export interface FoundFile {
  /** Relative to the captured folder with `/`. */
  readonly path: string;
  readonly format: Format;
}

/** Where a walk stops. */
interface WalkLimits {
  /** Folders looked into. */
  readonly folders: number;
  /** Entries of all folders together. */
  readonly entries: number;
  /** Levels below the captured folder. */
  readonly depth: number;
}

const defaultLimits: WalkLimits = { folders: 200_000, entries: 3_000_000, depth: 100 };

/** Folders that hold installed or built files, never the project's own lists. docs/specification.md §10. */
const excludedFolders = new Set(
  `.git .hg .svn .jj node_modules bower_components vendor target dist`.split(/\s+/),
);

interface Folder {
  /** Relative to the captured folder, empty for the folder itself. */
  readonly path: string;
  readonly depth: number;
  /** Rules of the folders above. */
  readonly rules: IgnoreRules;
  /** This folder relative to the rules' base. */
  readonly rulesPath: string;
}

/** One walk below a folder: the files that it has found, and the folders that it has still to look into. */
class Walk {
  readonly files: FoundFile[] = [];
  readonly queue: Folder[] = [];
  readonly #machine: CapturedMachine;
  readonly #folder: string;
  readonly #log: WarningLog;
  readonly #limits: WalkLimits;
  readonly #tracked: TrackedFiles | undefined;
  /** By the names in a folder: manifests, and whether one of them is there and not ignored. */
  readonly #manifestsIn = new WeakMap<ReadonlySet<string>, Map<string, boolean>>();
  #folders = 0;
  #entriesSeen = 0;
  #stopped = false;

  constructor(
    machine: CapturedMachine,
    folder: string,
    log: WarningLog,
    limits: WalkLimits,
    tracked: TrackedFiles | undefined,
  ) {
    this.#machine = machine;
    this.#folder = folder;
    this.#log = log;
    this.#limits = limits;
    this.#tracked = tracked;
  }

  stop(message: string): void {
    if (!this.#stopped) this.#log.add({ code: 'dependency_walk_stopped', message });
    this.#stopped = true;
    this.queue.length = 0;
  }

  async visit(at: Folder): Promise<void> {
    this.#folders += 1;
    if (this.#folders > this.#limits.folders) {
      return this.stop(
        `The folder has more than ${this.#limits.folders} sub-folders; dependency files beyond that were not looked for.`,
      );
    }
    let entries: DirectoryEntry[];
    try {
      entries = await this.#machine.readDirectory(below(this.#folder, at.path));
    } catch (error) {
      this.#log.add({
        code: 'folder_unreadable',
        message: `The folder ${at.path || '.'} cannot be read (${errorCode(error)}); dependency files in it are not recorded.`,
        file: at.path || '.',
      });
      return;
    }
    this.#entriesSeen += entries.length;
    if (this.#entriesSeen > this.#limits.entries) {
      return this.stop(
        `The folder has more than ${this.#limits.entries} files; dependency files beyond that were not looked for.`,
      );
    }
    const names = new Set(entries.map((entry) => entry.name));
    if (at.depth > 0 && isEnvironment(names)) return;
    const inner = await this.#rulesInside(at, names);
    for (const entry of entries) {
      if (this.#stopped) return;
      // Most files have no known format and need no further look.
      if (entry.kind === 'file' && !formatIn(at, entry.name)) continue;
      await this.#consider(entry, inner, names);
    }
  }

  async #rulesInside(at: Folder, names: ReadonlySet<string>): Promise<Folder> {
    let { rules: here, rulesPath } = at;
    const folder = below(this.#folder, at.path);
    if (at.depth > 0 && names.has('.git') && (await endsRepositoryAbove(this.#machine.files, folder))) {
      here = await rulesOfRepository(this.#machine, folder);
      rulesPath = '';
    }
    if (names.has('.gitignore')) {
      here = await addRules(this.#machine, here, rulesPath);
      if (here.skippedPatterns > 0) {
        const file = posix.join(at.path, '.gitignore');
        this.#log.add({
          code: 'ignore_pattern_skipped',
          message: `${here.skippedPatterns} pattern(s) of ${file} are longer than 1,024 characters and were not applied.`,
          file,
        });
      }
    }
    return { path: at.path, depth: at.depth, rules: here, rulesPath };
  }

  async #consider(entry: DirectoryEntry, at: Folder, names: ReadonlySet<string>): Promise<void> {
    const path = inFolder(at.path, entry.name);
    const rulesPath = inFolder(at.rulesPath, entry.name);
    if (entry.kind === 'directory') {
      if (entry.name === 'vendor' && names.has('go.mod')) await this.#considerGoVendor(path, rulesPath, at);
      // Of an ignored folder only what git tracks is the project's.
      const isOutside = at.rules.ignores(`${rulesPath}/`) && !this.#tracked?.folders.has(path);
      if (excludedFolders.has(entry.name) || isOutside) return;
      if (at.depth >= this.#limits.depth) {
        this.#log.add({
          code: 'folder_too_deep',
          message: `The folder ${path} lies more than ${this.#limits.depth} levels deep and was not looked into.`,
          file: path,
        });
        return;
      }
      this.queue.push({ path, depth: at.depth + 1, rules: at.rules, rulesPath });
      return;
    }
    const format = formatIn(at, entry.name);
    if (format?.voidBeside?.some((name) => names.has(name.replace('*', stemOf(entry.name))))) return;
    const isIgnoredHere = at.rules.ignores(rulesPath) && !this.#tracked?.files.has(path);
    const isLeftOut = format ? isIgnoredHere && !this.#isOwnLock(format, at, names) : true;
    if (entry.kind === 'other') {
      if (!isLeftOut) this.#reportSpecialFile(path);
    } else if (entry.kind === 'file') {
      if (format && !isLeftOut) this.files.push({ path, format });
    } else if (format ? !isLeftOut : !at.rules.ignores(rulesPath)) await this.#considerLink(path, at, format);
  }

  /** Lock files that git ignores are those that differ at one commit: they count where their manifest is there. */
  #isOwnLock(format: Format, at: Folder, names: ReadonlySet<string>): boolean {
    const isOwn = (name: string) => !at.rules.ignores(posix.join(at.rulesPath, name));
    const known = this.#manifestsIn.get(names) ?? new Map<string, boolean>();
    this.#manifestsIn.set(names, known);
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

  /** Reading a pipe waits for its writer, and a device may never end. */
  #reportSpecialFile(path: string): void {
    this.#log.add({
      code: 'dependency_file_unreadable',
      message: `${path} is not recorded: it is a pipe, socket or device.`,
      reason: 'it is a pipe, socket or device',
      file: path,
    });
  }

  /** Go's list of vendored modules is a lock file although it stands in an excluded folder. */
  async #considerGoVendor(path: string, rulesPath: string, at: Folder): Promise<void> {
    const file = posix.join(path, 'modules.txt');
    const format = formatOf('modules.txt', 'vendor');
    if (!format || at.rules.ignores(posix.join(rulesPath, 'modules.txt'))) return;
    try {
      if ((await this.#machine.status(posix.join(this.#folder, file))).kind === 'file')
        this.files.push({ path: file, format });
    } catch {
      // No vendored modules.
    }
  }

  /** Links to folders are not followed: what they lead to inside the captured folder is found where it is. */
  async #considerLink(path: string, at: Folder, format: Format | undefined): Promise<void> {
    if (excludedFolders.has(posix.basename(path))) return;
    const absolute = posix.join(this.#folder, path);
    try {
      const { kind } = await this.#machine.status(absolute);
      if (kind === 'other' && format) this.#reportSpecialFile(path);
      if (kind === 'other' || (kind === 'file' && !format)) return;
      const [target, root] = await Promise.all([
        this.#machine.realPath(absolute),
        this.#machine.realPath(this.#folder),
      ]);
      if (kind === 'file' && format) {
        if (isWithin(target, root) || isWithin(target, await this.#realBase(at)))
          this.files.push({ path, format });
        else this.#skipLink(path, 'a symbolic link to a file outside the captured folder and is not read.');
      } else if (isWithin(absolutePath(root, at.path), target)) {
        this.#skipLink(path, 'a symbolic link to a folder above it (a loop) and is not followed.');
      } else if (!isWithin(target, root)) {
        this.#skipLink(path, 'a symbolic link to a folder outside the captured folder and is not followed.');
      }
    } catch (error) {
      // A dangling link matters only where a dependency file is expected.
      const code = errorCode(error);
      if (!format && code !== 'ELOOP') return;
      const reason =
        code === 'ELOOP' ? 'a symbolic link in a loop' : `a symbolic link that leads nowhere (${code})`;
      this.#skipLink(path, `${reason} and is not read.`);
    }
  }

  #skipLink(path: string, what: string): void {
    this.#log.add({ code: 'link_skipped', message: `${path} is ${what}`, file: path });
  }

  async #realBase(at: Folder): Promise<string> {
    return this.#machine.realPath(at.rules.base);
  }
}

/**
 * All dependency files below a folder, in no particular order. What cannot be looked into is a warning. What git tracks is
 * found whatever rules say of it.
 */
export async function findDependencyFiles(
  machine: CapturedMachine,
  folder: string,
  log: WarningLog,
  limits: WalkLimits = defaultLimits,
  tracked?: TrackedFiles,
): Promise<FoundFile[]> {
  const walk = new Walk(machine, folder, log, limits, tracked);
  try {
    const rules = await rulesAbove(machine, folder);
    walk.queue.push({ path: '', depth: 0, rules, rulesPath: posix.relative(rules.base, folder) });
    for (let at = walk.queue.pop(); at; at = walk.queue.pop()) await walk.visit(at);
  } catch (error) {
    if (!(error instanceof TooMuchWorkError)) throw error;
    walk.stop(
      'The rules of .gitignore files are too many to apply; dependency files were not looked for further.',
    );
  }
  return walk.files;
}

/** Virtual environments of Python and environments of conda hold installed packages. */
function isEnvironment(names: ReadonlySet<string>): boolean {
  return names.has('pyvenv.cfg') || names.has('conda-meta');
}

function formatIn({ path }: Folder, name: string): Format | undefined {
  return formatOf(name, path.slice(path.lastIndexOf('/') + 1));
}

/** A path below an absolute folder; both are normal already, and a walk of a large tree mostly joins. */
export function below(folder: string, path: string): string {
  if (path === '') return folder;
  return folder.endsWith('/') ? `${folder}${path}` : `${folder}/${path}`;
}

/** Of a name without slashes; joining is most of what a walk does. */
function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A file's name without its ending. */
function stemOf(name: string): string {
  return name.replace(/\.[^.]*$/, '');
}

function absolutePath(root: string, path: string): string {
  return posix.join(root, path);
}

function isWithin(path: string, folder: string): boolean {
  const normal = path.replaceAll('\\', '/');
  const base = folder.replaceAll('\\', '/').replace(/\/$/, '');
  return normal === base || normal.startsWith(`${base}/`);
}

/** Node.js's code of a file system error, for a message. */
export function errorCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}
