// The dependency part of a capture: finds, reads and parses the files. Leaves out governed manifests.

import { posix } from 'node:path';
import { ecosystems } from '@envsnap/shared/catalogue/ecosystems';
import { type Format, formatOfFile } from '@envsnap/shared/catalogue/formats';
import type { UnknownEntry } from '@envsnap/shared/catalogue/unknown';
import { findTracked } from '../project/git/tracked-files.ts';
import { workspaceFolders } from '../project/workspace-folders.ts';
import { isChangedAfter, lateReason } from '../system/late-files.ts';
import type { CapturedMachine } from '../system/machine.ts';
import type { CaptureWarning } from '../warning.ts';
import type { ParseContext } from './fields.ts';
import { findDirect } from './find-direct.ts';
import { createGovernance, folderOf, membersOf } from './governance.ts';
import { createIncludedFiles } from './included-files.ts';
import { createPackageList, detach, type PackageList } from './package-list.ts';
import { NothingLeft, ParseProblem } from './parse-problem.ts';
import { loadParser } from './parser.ts';
import { decodeText, decodeXml } from './text/decode-text.ts';
import { JsonProblem } from './text/json.ts';
import { refuseNesting } from './text/lines.ts';
import { isFixture, withoutFixtures } from './walk/fixtures.ts';
import {
  createReadBudget,
  createRoom,
  fitContents,
  fitDirect,
  fitSnapshot,
  fitSources,
  nearestFirst,
  type ReadBudget,
} from './walk/snapshot-limits.ts';
import { reportUnread, unreadContents } from './walk/unread-files.ts';
import { errorCode, type FoundFile, findDependencyFiles } from './walk/walk.ts';
import { createWarningLog, type WarningLog } from './warning-log.ts';
import { withoutUsers } from './without-credentials.ts';

interface DependencyOptions {
  readonly folder: string;
  /** Record manifests even if a lock file governs them. */
  readonly manifests: boolean;
  /** Also record files below folders of tests, fixtures, examples and templates. */
  readonly fixtures?: boolean | undefined;
  /** Files that changed after this time, in milliseconds since the epoch, are not recorded. */
  readonly changedBefore?: number | undefined;
  /** Called with the number of files read so far. */
  readonly onProgress?: (filesRead: number) => void;
}

export interface CollectedDependencies {
  /** File (path relative to the folder, with `/`) → package → version; several versions are joined by `, `. */
  readonly dependencies: Record<string, Record<string, string>>;
  /**
   * File → package (or `name@version`) → source, for packages from anywhere but the default registry of the format:
   * an ecosystem of the catalogue, `git+<address>` or `path:<folder>`.
   */
  readonly sources: Record<string, Record<string, string>>;
  /** File → digests of the contents of its packages, in the order of their names. */
  readonly contents: Record<string, string>;
  /** File → direct dependencies, for files that list indirect ones as well. */
  readonly direct: Record<string, readonly string[]>;
  /** Subfolders with dependency files or files of version managers, the nearest first. */
  readonly folders: readonly string[];
  readonly unknown: readonly UnknownEntry[];
  readonly warnings: CaptureWarning[];
}

/** Larger files are skipped, in bytes, because their text might not fit into one string. */
const maxFileBytes = 256 * 1024 * 1024;

interface Listing {
  readonly packages: Record<string, string>;
  readonly sources: Record<string, string>;
  readonly contents: string;
  readonly members: readonly string[] | undefined;
  readonly direct: readonly string[] | undefined;
}

interface ReadFile extends FoundFile, Listing {
  /** The file changed too late: it still governs its manifests, but its packages are unknown. */
  readonly isChanged?: true;
  /** The snapshot has no room for the file, or too much was read before it: handled in the same way. */
  readonly isLeftOut?: true;
}

const nothing: Listing = { packages: {}, sources: {}, contents: '', members: undefined, direct: undefined };
/** A longer lock file has packages, in characters. If none is found, their names and versions are unknown. */
const longestWithoutPackages = 20_000;
/** Maximum number of workspace members of all lock files together. Beyond this, a lock file governs every folder below it. */
const maxMembers = 1_000_000;

/**
 * Collects the dependencies of a folder. Never rejects: a file that cannot be read becomes a warning. A damaged file
 * is left out as a whole, because half a list would look like removed packages. In a valid file, only invalid entries
 * are left out. A lock file that cannot be read governs nothing, so its manifest is recorded instead.
 * docs/specification.md §10.
 */
export async function collectDependencies(
  machine: CapturedMachine,
  options: DependencyOptions,
  budget = createReadBudget(),
): Promise<CollectedDependencies> {
  const slashed = machine.platform === 'win32' ? options.folder.replaceAll('\\', '/') : options.folder;
  const folder = slashed.replace(/(?<=[^/])\/+$/, '');
  const log = createWarningLog();
  const tracked = await findTracked(machine, options.folder, (path) => formatOfFile(path) !== undefined);
  const all = await findDependencyFiles(machine, folder, log, undefined, tracked);
  const readAll = createReader(machine, folder, log, budget, options);
  const isListed = ({ format }: FoundFile) => format.kind === 'lock' || format.kind === 'list';
  const isAside = (file: FoundFile) => options.fixtures !== true && isFixture(file);
  const near = await readAll(all.filter((file) => isListed(file) && !isAside(file)));
  const aside = all.filter(isAside).map(({ path }) => path);
  const members = aside.length === 0 ? [] : await workspaceFolders(machine, folder, async () => aside);
  const own = new Set([...membersOf(near), ...members]);
  const found = options.fixtures === true ? all : withoutFixtures(all, own, log);
  const ofKind = (...kinds: Format['kind'][]) => found.filter(({ format }) => kinds.includes(format.kind));
  const lists = [...near, ...(await readAll(found.filter((file) => isListed(file) && isAside(file))))];
  const governors = lists.filter(({ format }) => format.kind === 'lock');
  const manifests = ofKind('manifest');
  const governorsOf = createGovernance(governors);
  const isGoverned = (file: FoundFile) => !governorsOf(file).next().done;
  const chosen = options.manifests ? manifests : manifests.filter((file) => !isGoverned(file));
  // A manifest without dependencies (settings of a tool, `{"type": "module"}`) is not recorded.
  const unread = ofKind('unread').filter(
    (file) => !file.format.isDeclaration && (file.format.isLock || !isGoverned(file)),
  );
  await reportUnread(machine, folder, unread, log);
  const contents = await unreadContents(machine, folder, unread, budget, options.changedBefore);
  const asking = (await readAll(chosen)).filter(
    ({ packages, sources, isLeftOut }) =>
      isLeftOut || Object.keys(packages).length > 0 || Object.keys(sources).length > 0,
  );
  // A file that only lists parts of the project (a .NET solution) has no packages.
  const namesOnly = (file: ReadFile) =>
    file.format.kind === 'list' && file.members !== undefined && Object.keys(file.packages).length === 0;
  const known = [...lists, ...asking].filter((file) => !file.isChanged && !namesOnly(file));
  const fitting = fitSnapshot(known, log);
  // A governed manifest is not recorded, so its mistakes are not reported.
  const readGoverned = createReader(machine, folder, createWarningLog(), budget);
  const beside = manifests.filter(isGoverned).sort(nearestFirst);
  if (beside.length > maxGoverned)
    log.add({
      code: 'manifests_left_out',
      message:
        `Only the nearest ${maxGoverned} of ${beside.length} manifests beside lock files were read. The packages ` +
        'that the others ask for or override are not recorded: capture their folders one by one.',
    });
  const governed = await readGoverned(beside.slice(0, maxGoverned));
  const direct = findDirect(fitting, governed, governorsOf);
  const dependencies: Record<string, Record<string, string>> = Object.create(null);
  for (const { path, packages } of fitting.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    dependencies[path] = path === '.gitmodules' ? withCommits(packages, tracked.submodules) : packages;
  }
  return {
    dependencies,
    sources: fitSources([...fitting, ...contents, ...settingsOf(governed, fitting)], log),
    contents: fitContents(fitting, log),
    direct: fitDirect(direct),
    folders: [...new Set([...found].sort(nearestFirst).map(({ path }) => folderOf(path)))].filter(Boolean),
    unknown: log.unknown(),
    warnings: log.toList(),
  };
}

/** Manifests that are read for settings that their lock file lacks, the nearest to the folder first. */
const maxGoverned = 100;

/** Settings of governed manifests for all packages, such as overrides, that their lock file lacks. */
function settingsOf(manifests: readonly ReadFile[], kept: readonly ReadFile[]) {
  const key = (path: string, name: string) => `${folderOf(path)} ${name}`;
  const said = new Set(
    kept.flatMap(({ path, sources }) => Object.keys(sources).map((name) => key(path, name))),
  );
  const recorded = new Set(kept.map(({ path }) => path));
  return manifests.flatMap(({ path, sources }) => {
    const settings = Object.entries(sources).filter(
      ([name]) => name.startsWith('#') && !said.has(key(path, name)),
    );
    return recorded.has(path) ? [] : [{ path, sources: Object.fromEntries(settings) }];
  });
}

/** Submodules, each with the commit in git's index. */
function withCommits(
  packages: Listing['packages'],
  commits: ReadonlyMap<string, string>,
): Listing['packages'] {
  const pairs = Object.entries(packages).map(([path, version]) => [path, commits.get(path) ?? version]);
  return Object.assign(Object.create(null), Object.fromEntries(pairs));
}

function createReader(
  machine: CapturedMachine,
  folder: string,
  log: WarningLog,
  budget: ReadBudget,
  { onProgress, changedBefore }: Partial<DependencyOptions> = {},
) {
  let filesRead = 0;
  let members = 0;
  let hasRoom = createRoom();
  const include = createIncludedFiles(machine, folder, budget);
  /** The result of parsing a file alone, by format and real path: several links to one file share it. */
  const known = new Map<string, ReadFile>();

  /** A parsed file without what a snapshot has no room for. */
  function kept(file: ReadFile): ReadFile {
    if (Object.keys(file.packages).length === 0 || hasRoom(file)) return file;
    return { ...file, ...nothing, members: file.members, isLeftOut: true };
  }

  async function readOne(file: FoundFile): Promise<ReadFile | undefined> {
    const { path, format } = file;
    const warn = (reason: string, line?: number, column?: number) => {
      const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
      const message = `${path} is not recorded: ${reason}.`;
      log.add({ code: 'dependency_file_unreadable', message, reason, file: path, ...place });
    };
    const absolute = posix.join(folder, path);
    try {
      const status = await machine.status(absolute);
      if (status.kind !== 'file') return void warn('it is not a file');
      if (status.sizeBytes > maxFileBytes)
        return void warn(`it is larger than ${maxFileBytes / 1024 / 1024} MiB`);
      if (isChangedAfter(status, changedBefore)) {
        warn(lateReason);
        return { ...file, ...nothing, isChanged: true };
      }
      // Some file systems (RAM disks on Windows) report no real paths.
      const place = `${format.id} ${await machine.realPath(absolute).catch(() => absolute)}`;
      const same = known.get(place);
      if (same) return kept({ ...same, path });
      budget.spend(status.sizeBytes);
      let isAlone = true;
      const read = (onlyNow: () => void) =>
        parseOne(file, absolute, () => {
          isAlone = false;
          onlyNow();
        });
      const listing = await machine.fileCache.of(`packages by ${format.id}`, absolute, read, status);
      if (!listing) return undefined;
      members += listing.members?.length ?? 0;
      const result = kept({
        ...file,
        ...listing,
        packages: Object.setPrototypeOf(listing.packages, null),
        members: members > maxMembers ? undefined : listing.members,
      });
      if (isAlone) known.set(place, result);
      return result;
    } catch (error) {
      if (error instanceof NothingLeft) return { ...file, ...nothing, isLeftOut: true };
      const problem = error instanceof JsonProblem ? await error.located() : error;
      if (problem instanceof ParseProblem) warn(problem.message, problem.line, problem.column);
      else warn(`it cannot be read (${errorCode(error)})`);
      return undefined;
    } finally {
      filesRead += 1;
      onProgress?.(filesRead);
    }
  }

  /** Calls `onlyNow` if the result depends on other files or comes with a warning, so it must not be cached. */
  async function parseOne({ path, format }: FoundFile, absolute: string, onlyNow: () => void) {
    const parse = await loadParser(format);
    const bytes = await machine.readFile(absolute);
    const { text, lossy } = format.encoding === 'xml' ? decodeXml(bytes) : decodeText(bytes);
    const context: ParseContext = {
      path,
      warn(problem, line) {
        onlyNow();
        const message = `${path}: ${problem}.`;
        log.add({
          code: 'dependency_entry_skipped',
          message,
          file: path,
          ...(line !== undefined && { line }),
        });
      },
      include(relativePath, read) {
        onlyNow();
        return include(path, relativePath, read);
      },
    };
    const list = createPackageList();
    await parse(withoutUsers(text), list, context);
    if (!list.isRecorded) return undefined;
    if (list.isEmpty && text.length > longestWithoutPackages) {
      refuseNesting(text);
      if (format.kind === 'lock')
        throw new ParseProblem(`it has ${text.length} characters, but envsnap finds no package in it`);
    }
    if (lossy) context.warn('some bytes are not valid text in its encoding and are replaced');
    if (list.rejected > 0)
      context.warn(`${list.rejected} entries have an empty or unusable name or version and are left out`);
    return {
      packages: list.toRecord(await orderOf(list, format)),
      sources: list.toSources(format.ecosystem),
      contents: list.toContents(),
      members: list.members && detach(list.members),
      direct: list.direct && detach(list.direct),
    };
  }

  return async (files: readonly FoundFile[]): Promise<ReadFile[]> => {
    const results: ReadFile[] = [];
    hasRoom = createRoom();
    for (const file of [...files].sort(nearestFirst)) {
      const result = await readOne(file);
      if (result) results.push(result);
    }
    return results;
  };
}

/** Sorts several versions of one package. Imported lazily, because most files have one version of each. */
async function orderOf(list: PackageList, { ecosystem }: Format) {
  if (!list.hasSeveral) return (versions: readonly string[]) => versions;
  const { orderVersions } = await import('@envsnap/versions/version-order');
  return (versions: readonly string[]) => orderVersions(versions, ecosystems[ecosystem].scheme);
}
