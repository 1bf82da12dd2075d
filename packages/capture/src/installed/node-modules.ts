// Compares `node_modules`, for every manager except npm, with the lock file and with the manager's own record.

import { fitsRequirement } from '@envsnap/versions';
import {
  type Absence,
  addState,
  addVersion,
  askedPackages,
  brokenPrograms,
  type Drift,
  development,
  everything,
  type LockPlace,
  linksPrograms,
  manifestVersion,
  versionsOf,
} from './drift.ts';
import { changedPackages, editedPackages } from './edited-packages.ts';
import { namesPlatform, platformOfName, platformTest } from './platform.ts';

/** A package manager's record of its last installation. */
interface InstallState {
  readonly packages: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folders that it created, by package; each must exist. Absent if it does not list them. */
  readonly folders?: readonly (readonly [name: string, folder: string])[];
  /** Names that must be at the top level, in addition to those that `package.json` asks for. */
  readonly wanted?: ReadonlySet<string>;
  /** The file of the record, which an installation writes last. */
  readonly note: string;
  /** Time of the record; packages that changed later are read again. */
  readonly writtenMs: number;
}

export type StateReader = (place: LockPlace) => Promise<InstallState | undefined>;

export const bunDrift = (place: LockPlace) => modulesDrift(place, async () => undefined);

/** Compares `node_modules` with the lock file, by the manager's record and the files. */
export async function modulesDrift(place: LockPlace, readState: StateReader): Promise<Drift | undefined> {
  const { files, at, locked } = place;
  if (!(await files.isFolder(at('node_modules')))) return undefined;
  const drift = new Map<string, string>();
  const direct = await directPackages(place);
  const state = await readState(place);
  for (const [name, versions] of state?.packages ?? []) addUnlocked(drift, place, name, versions);

  const top = await topPackages(place.files, place.at('node_modules'));
  if (top.size === 0 && state === undefined && direct.some((asked) => Object.keys(asked).length > 0))
    return new Map([[everything, '']]);
  for (const name of top) {
    if (name.includes('..')) continue;
    if (!Object.hasOwn(locked, name)) {
      // A workspace package, or a linked one.
      const target = await files.realPath(at('node_modules', name));
      if (target === undefined) drift.set(name, 'a broken link');
      continue;
    }
    const manifest = at('node_modules', name, 'package.json');
    const changed = (await files.status(manifest))?.changedMs;
    // A broken link, or an empty folder.
    if (changed === undefined) top.delete(name);
    if (changed === undefined || (state && changed <= state.writtenMs)) continue;
    const version = await manifestVersion(place, manifest);
    if (version !== undefined) addUnlocked(drift, place, name, [version]);
  }
  const missing = [
    ...missingDirect(place, direct, top),
    ...(await missingFolders(place, state)),
    ...[...(state?.wanted ?? [])].filter((name) => !top.has(name)),
    ...(await lackingPlatforms(place, top, state)),
  ];
  for (const name of missing) addState(drift, name, '');
  if (await lacksPrograms(place, direct)) drift.set('.bin', '');
  for (const [name, broken] of await brokenPrograms(place)) drift.set(name, broken);
  if (state === undefined) return drift;
  for (const [name, edited] of await editedPackages(place, state.note)) addState(drift, name, edited);
  const folders =
    state.folders?.slice(0, maxFolders) ?? [...top].map((name) => [name, `node_modules/${name}`] as const);
  for (const [name, version, gone] of await changedPackages(place, folders, state.note)) {
    addUnlocked(drift, place, name, [version]);
    if (gone !== undefined) addState(drift, name, `${version} without ${gone}`);
  }
  return drift;
}

/** Without a lock file: what `package.json` asks for must be where Node.js looks for it, in a version that fits. */
export async function manifestModulesDrift(place: LockPlace): Promise<Drift | undefined> {
  const { files, root } = place;
  const folders = files.upward(root).map((above) => files.paths.join(above, 'node_modules'));
  const places = new Map<string, string>();
  for (const folder of folders.toReversed())
    for (const name of await topPackages(files, folder)) places.set(name, folder);
  const drift: Drift = new Map();
  let present = 0;
  let asked = 0;
  for (const [kind, ranges] of (await directPackages(place)).entries()) {
    const missing: string[] = [];
    const names = Object.keys(ranges).filter((name) => !name.includes('..'));
    for (const name of names) {
      const folder = places.get(name);
      const version =
        folder && (await manifestVersion(place, files.paths.join(folder, name, 'package.json')));
      if (version === undefined) missing.push(name);
      else if (fitsRequirement(version, String(ranges[name]), 'npm') === false) drift.set(name, version);
    }
    asked += names.length;
    present += names.length - missing.length;
    const isAll = kind === 1 && missing.length === names.length && missing.length > 0;
    for (const name of isAll ? [development] : missing) drift.set(name, '');
  }
  if (asked === 0) return undefined;
  return present === 0 && !(await isMember(place, folders)) ? new Map([[everything, '']]) : drift;
}

/** Whether a workspace above was installed, which links to its packages. */
async function isMember({ files, root, at }: LockPlace, folders: readonly string[]): Promise<boolean> {
  const name = (await files.json(at('package.json')))?.name;
  const own = await files.realPath(root);
  if (typeof name !== 'string' || name.includes('..')) return false;
  for (const folder of folders)
    if (own !== undefined && (await files.realPath(files.paths.join(folder, name))) === own) return true;
  return false;
}

/** Reports that nothing is installed: neither here nor above is a folder of packages, and the project needs some. */
export async function modulesAbsence({ files, at, root, locked }: LockPlace): Promise<Absence | undefined> {
  if (Object.keys(locked).length === 0) return undefined;
  for (const above of files.upward(root))
    if (await files.isFolder(files.paths.join(above, 'node_modules'))) return undefined;
  for (const name of plugAndPlayFiles) if (await files.isFile(at(name))) return undefined;
  return (await files.isFile(at('package.json'))) ? 'nothing' : undefined;
}

/** The record that each manager leaves in `node_modules`, by its lock file. */
const records: Readonly<Record<string, readonly string[]>> = {
  'package-lock.json': ['.package-lock.json'],
  'npm-shrinkwrap.json': ['.package-lock.json'],
  'pnpm-lock.yaml': ['.modules.yaml'],
  'yarn.lock': ['.yarn-state.yml', '.yarn-integrity'],
};

/** Reads nothing if another manager installed last, from its own lock file beside this one. */
export function unlessOfOther(drift: (place: LockPlace) => Promise<Drift | undefined>): typeof drift {
  return async (place) => {
    const { files, at, path } = place;
    const own = files.paths.basename(path);
    const writtenMs = async (lock: string) => {
      const written = (records[lock] ?? []).map((name) => files.status(at('node_modules', name)));
      return Math.max(0, ...(await Promise.all(written)).map((status) => status?.modifiedMs ?? 0));
    };
    const ownMs = await writtenMs(own);
    for (const lock of Object.keys(records))
      if (lock !== own && (await writtenMs(lock)) > ownMs && (await files.isFile(at(lock)))) return undefined;
    return drift(place);
  };
}

/** Yarn's maps of packages, which replace `node_modules`. */
export const plugAndPlayFiles: readonly string[] = ['.pnp.cjs', '.pnp.data.json', '.pnp.js'];

/** Maximum number of package folders that are checked. */
const maxFolders = 100_000;

/** Packages whose folders are missing, including indirect dependencies. */
async function missingFolders({ machine, root }: LockPlace, state: InstallState | undefined) {
  const missing: string[] = [];
  for (const [name, folder] of (state?.folders ?? []).slice(0, maxFolders)) {
    if (/(?:^|\/)\.\.(?:\/|$)/.test(folder)) continue;
    // Every platform accepts `/`, and there are thousands of paths.
    const manifest = `${root}/${folder}/package.json`;
    if ((await machine.status(manifest).catch(() => undefined)) === undefined) missing.push(name);
  }
  return missing;
}

/**
 * Packages for this platform that are in the lock file and that the last installation left out, although it installed others of
 * their kind: the folder was copied from another platform. Names give the platform, as `@esbuild/linux-x64` does.
 */
async function lackingPlatforms(
  place: LockPlace,
  top: ReadonlySet<string>,
  state: InstallState | undefined,
): Promise<string[]> {
  const present = new Set([...top, ...(state?.folders ?? []).map(([name]) => name)]);
  const ofPlatforms = Object.keys(place.locked).filter((name) => namesPlatform(platformOfName(name)));
  if (ofPlatforms.length === 0) return [];
  const fits = await platformTest(place.machine);
  const kindOf = (name: string): string =>
    name.slice(0, Math.max(0, name.search(/[/-](?:linux|darwin|win32|freebsd|android)-/)));
  const kindsThere = new Set(ofPlatforms.filter((name) => present.has(name)).map(kindOf));
  return ofPlatforms.filter(
    (name) => !present.has(name) && fits(platformOfName(name)) && kindsThere.has(kindOf(name)),
  );
}

/** Records versions of a locked package that are not in the lock file. */
export function addUnlocked(
  drift: Map<string, string>,
  { locked }: LockPlace,
  name: string,
  versions: Iterable<string>,
): void {
  if (!Object.hasOwn(locked, name)) return;
  const known = new Set(versionsOf(locked[name]));
  // Only versions are compared, not paths or commits.
  for (const version of known) if (!/^\d/.test(version)) return;
  for (const version of versions) if (!known.has(version)) addVersion(drift, name, version);
}

/** Names of the folders in a `node_modules`, with scopes as `@scope/name`. */
async function topPackages(files: LockPlace['files'], folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { name, kind } of await files.entries(folder)) {
    if (name.startsWith('.') || kind === 'file') continue;
    if (!name.startsWith('@')) names.add(name);
    else for (const inner of await files.names(files.paths.join(folder, name))) names.add(`${name}/${inner}`);
  }
  return names;
}

/** The direct requirements in `package.json`: kind to name to range. Without optional packages. */
async function directPackages(place: LockPlace): Promise<readonly Record<string, unknown>[]> {
  const kinds = await askedPackages(place, 'optionalDependencies', 'dependencies', 'devDependencies');
  const [optional = {}, ...direct] = kinds;
  return direct.map((asked) =>
    Object.fromEntries(Object.entries(asked).filter(([name]) => !Object.hasOwn(optional, name))),
  );
}

/** Missing direct packages. If no development package is installed, one key stands for all of them. */
function missingDirect(
  { locked }: LockPlace,
  direct: readonly Record<string, unknown>[],
  top: ReadonlySet<string>,
): string[] {
  return direct.flatMap((asked, kind) => {
    const required = Object.entries(asked).flatMap(([name, range]) => {
      const isLink = typeof range === 'string' && /^(?:workspace|link|portal):/.test(range);
      return isLink || (Object.hasOwn(locked, name) && !String(range).startsWith('file:')) ? [name] : [];
    });
    const missing = required.filter((name) => !top.has(name));
    return kind === 1 && missing.length > 0 && missing.length === required.length ? [development] : missing;
  });
}

/** Whether `.bin` has no programs although a direct package has some. */
async function lacksPrograms(place: LockPlace, direct: readonly Record<string, unknown>[]): Promise<boolean> {
  const { files, at } = place;
  if ((await files.names(at('node_modules/.bin'))).length > 0 || !(await linksPrograms(place))) return false;
  for (const name of direct.flatMap((asked) => Object.keys(asked)))
    if (!name.includes('..') && (await files.json(at('node_modules', name, 'package.json')))?.bin)
      return true;
  return false;
}
