// npm: `node_modules/.package-lock.json` says what npm installed last; a package that changed since is read itself.
// https://docs.npmjs.com/cli/configuring-npm/package-lock-json#hidden-lockfiles

import { isPlainObject } from '@envsnap/shared/plain-object';
import {
  addVersion,
  brokenPrograms,
  type Drift,
  development,
  everything,
  type LockPlace,
  linkedVersion,
  linksPrograms,
  manifestVersion,
  readJsonObject,
} from './drift.ts';
import { editedPackages } from './edited-packages.ts';
import { namesPlatform, type PlatformTest, platformTest } from './platform.ts';

interface LockedPackage {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly link?: unknown;
  /** Of a link: the folder that it leads to. */
  readonly resolved?: unknown;
  readonly bin?: unknown;
  /** Of the project itself. */
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
  readonly os?: unknown;
  readonly cpu?: unknown;
  readonly libc?: unknown;
  readonly dev?: unknown;
  readonly optional?: unknown;
  readonly devOptional?: unknown;
  readonly peer?: unknown;
  readonly extraneous?: unknown;
}

export async function npmDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, path, root } = place;
  const { join } = machine.files.paths;
  if (!(await machine.files.isFolder(join(root, 'node_modules')))) return undefined;
  const locked = packagesOf(await readJsonObject(machine, path));
  const hiddenPath = join(root, 'node_modules', '.package-lock.json');
  const hidden = packagesOf(await readJsonObject(machine, hiddenPath));
  const hiddenMs = (await machine.files.status(hiddenPath))?.changedMs ?? 0;
  const drift = new Map<string, string>();
  if ([...hidden.keys()].some((key) => key.startsWith(storeFolder))) return storeDrift(locked, hidden);
  const missing: LockedPackage[] = [];
  const present = new Set<LockedPackage>();

  for (const [key, entry] of locked) {
    const name = nameOf(key);
    if (name === undefined || entry.link || typeof entry.version !== 'string') continue;
    if (hidden.get(key)?.link) {
      addVersion(drift, name, linkedVersion);
      continue;
    }
    const manifest = join(root, ...key.split('/'), 'package.json');
    const changed = (await machine.files.status(manifest))?.changedMs;
    if (changed === undefined) {
      missing.push(entry);
      continue;
    }
    present.add(entry);
    const known = hidden.get(key)?.version;
    const version =
      typeof known === 'string' && changed <= hiddenMs ? known : await manifestVersion(place, manifest);
    if (version !== undefined && version !== entry.version) addVersion(drift, name, version);
  }
  if (present.size === 0 && missing.some(({ optional }) => !optional)) return new Map([[everything, '']]);
  const isNoted = (key: string): boolean => hidden.has(key);
  addMissing(drift, locked, new Set(missing));
  addPlatforms(drift, locked, { present, isNoted, fits: await platformTest(machine) });
  await addLinks(drift, place, locked, isNoted);
  await addBins(drift, place, locked, present);
  for (const [name, state] of await brokenPrograms(place)) drift.set(name, state);
  for (const [name, version] of await editedPackages(place, hiddenPath))
    if (!drift.has(name)) drift.set(name, version);
  for (const [key, isLink] of await unlockedPackages(place, locked)) {
    const name = nameOf(key) as string;
    const version = await manifestVersion(place, join(root, ...key.split('/'), 'package.json'));
    if (version !== undefined && !drift.has(name)) addVersion(drift, name, isLink ? linkedVersion : version);
  }
  return drift;
}

/**
 * Packages at the top, and directly below those that the project asks for, that the lock file does not have, or of which it does
 * not say that they are links.
 */
async function unlockedPackages(
  { machine, root }: LockPlace,
  locked: ReadonlyMap<string, LockedPackage>,
): Promise<[key: string, isLink: boolean][]> {
  const { files } = machine;
  const at = (key: string) => files.paths.join(root, ...key.split('/'));
  const asked = locked.get('') ?? {};
  const direct = [asked.dependencies, asked.devDependencies].flatMap((kind) =>
    isPlainObject(kind) ? Object.keys(kind) : [],
  );
  const found: [string, boolean][] = [];
  for (const above of ['', ...direct.slice(0, maxDirect).map((name) => `node_modules/${name}/`)]) {
    const isNested = above !== '';
    if (isNested && !(await files.entries(at(above))).some(({ name }) => name === 'node_modules')) continue;
    const inside = async (folder: string): Promise<[string, boolean][]> => {
      const entries = (await files.entries(at(folder))).filter(
        ({ name, kind }) => kind !== 'file' && !name.startsWith('.'),
      );
      const nested = entries.map(({ name, kind }): Promise<[string, boolean][]> | [string, boolean][] =>
        name.startsWith('@') && !folder.includes('/@', above.length)
          ? inside(`${folder}/${name}`)
          : [[`${folder}/${name}`, kind === 'symlink']],
      );
      return (await Promise.all(nested)).flat();
    };
    for (const [key, isLink] of await inside(`${above}node_modules`))
      if (!key.includes('..') && (isLink ? locked.get(key)?.link !== true : !locked.has(key)))
        found.push([key, isLink]);
  }
  return found;
}

/** Packages that are looked into. */
const maxDirect = 300;

/** The package in a folder of `packages`; undefined for a workspace's own folder. */
function nameOf(key: string): string | undefined {
  const at = key.lastIndexOf('node_modules/');
  return at < 0 || key.includes('..') ? undefined : key.slice(at + 'node_modules/'.length);
}

/** Notes what is missing although a full installation would have it. */
function addMissing(
  drift: Map<string, string>,
  locked: ReadonlyMap<string, LockedPackage>,
  missing: ReadonlySet<LockedPackage>,
): void {
  const wanted = [...locked].filter(
    ([, { version, link, optional, devOptional, peer }]) =>
      typeof version === 'string' && !(link || optional || devOptional || peer),
  );
  const dev = wanted.filter(([key, entry]) => entry.dev && nameOf(key) !== undefined);
  // None at all: installed with --omit=dev.
  const noneOfDev = dev.every(([, entry]) => missing.has(entry));
  if (noneOfDev && dev.length > 0) drift.set(development, '');
  const gone = new Set<string>();
  for (const [key, entry] of wanted) {
    const name = nameOf(key);
    if (name === undefined || !missing.has(entry) || drift.has(name) || (entry.dev && noneOfDev)) continue;
    gone.add(name);
  }
  const versions = new Map<string, { all: Set<string>; left: Set<string> }>();
  for (const [key, entry] of locked) {
    const name = nameOf(key) ?? '';
    if (!gone.has(name)) continue;
    const known = versions.get(name) ?? { all: new Set(), left: new Set() };
    versions.set(name, known);
    known.all.add(String(entry.version));
    if (!missing.has(entry)) known.left.add(String(entry.version));
  }
  // Of a package in several versions, those that are left are not missing; where all are there, it is missing in one place.
  for (const [name, { all, left }] of versions)
    drift.set(name, left.size < all.size ? [...left].sort().join(', ') : '');
}

interface Noted {
  readonly present: ReadonlySet<LockedPackage>;
  /** Whether npm noted that it installed what belongs there. */
  readonly isNoted: (key: string) => boolean;
  readonly fits: PlatformTest;
}

/**
 * Optional packages for one platform each: the one for this machine must be there, unless none of them is, which is how
 * `--omit=optional` leaves a folder. One for another platform says that the folder was copied from there.
 */
function addPlatforms(
  drift: Map<string, string>,
  locked: ReadonlyMap<string, LockedPackage>,
  { present, isNoted, fits }: Noted,
): void {
  const optional = [...locked].filter(
    ([key, entry]) =>
      entry.optional === true && nameOf(key) !== undefined && typeof entry.version === 'string',
  );
  const anyPresent = optional.some(([, entry]) => present.has(entry) && namesPlatform(entry));
  let isLacking = false;
  for (const [key, entry] of optional) {
    if (present.has(entry) || !fits(entry)) continue;
    if (!isNoted(key) && !(namesPlatform(entry) && anyPresent)) continue;
    isLacking = true;
    drift.set(nameOf(key) as string, '');
  }
  for (const [key, entry] of optional)
    if (isLacking && present.has(entry) && !fits(entry))
      drift.set(nameOf(key) as string, `${String(entry.version)} for another platform`);
}

/** Links to the packages of a workspace: there, leading somewhere, and to the package that the lock file names. */
async function addLinks(
  drift: Map<string, string>,
  { machine, root }: LockPlace,
  locked: ReadonlyMap<string, LockedPackage>,
  isNoted: (key: string) => boolean,
): Promise<void> {
  const { join } = machine.files.paths;
  const found: [name: string, key: string, state: string | undefined][] = [];
  for (const [key, { link, resolved }] of locked) {
    const name = nameOf(key);
    if (!link || name === undefined || typeof resolved !== 'string' || resolved.includes('..')) continue;
    const path = join(root, ...key.split('/'));
    const status = await machine.linkStatus(path).catch(() => undefined);
    const target = await machine.files.realPath(path);
    const wanted = await machine.files.realPath(join(root, ...resolved.split('/')));
    const state =
      status === undefined
        ? undefined
        : target === undefined
          ? 'a link that leads nowhere'
          : target === wanted
            ? ''
            : status.kind === 'symlink'
              ? 'a link to another folder'
              : 'a folder in place of a link';
    found.push([name, key, state]);
  }
  const anyThere = found.some(([, , state]) => state !== undefined);
  for (const [name, key, state] of found) {
    if (state === undefined && !anyThere && !isNoted(key)) continue;
    if (state !== '') drift.set(name, state ?? '');
  }
}

/** Programs of packages at the top: `.bin/vite`. Without the folder they are one finding. */
async function addBins(
  drift: Map<string, string>,
  place: LockPlace,
  locked: ReadonlyMap<string, LockedPackage>,
  present: ReadonlySet<LockedPackage>,
): Promise<void> {
  const { files } = place.machine;
  const names = await files.names(files.paths.join(place.root, 'node_modules', '.bin'));
  const there = new Set(names.map((name) => name.replace(/\.(?:cmd|ps1|exe)$/, '')));
  if (!(await linksPrograms(place))) return;
  const missing = [...locked].flatMap(([key, entry]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(key) && present.has(entry) && isPlainObject(entry.bin)
      ? Object.keys(entry.bin).filter((bin) => !there.has(bin))
      : [],
  );
  if (there.size === 0 && missing.length > 0) drift.set('.bin', '');
  else for (const bin of missing) drift.set(`.bin/${bin}`, '');
}

const storeFolder = 'node_modules/.store/';

/** `install-strategy=linked` lays packages out in a store of its own, so that only names and versions can be compared. */
function storeDrift(
  locked: ReadonlyMap<string, LockedPackage>,
  hidden: ReadonlyMap<string, LockedPackage>,
): Drift {
  const drift = new Map<string, string>();
  const [wanted, installed] = [versionsByName(locked), versionsByName(hidden)];
  for (const [name, versions] of installed)
    for (const version of versions)
      if (wanted.has(name) && !wanted.get(name)?.has(version)) addVersion(drift, name, version);
  const missing = [...locked].filter(([key, entry]) => !installed.has(realName(key, entry) ?? ''));
  addMissing(drift, locked, new Set(missing.map(([, entry]) => entry)));
  return drift;
}

/** The store holds an alias under its real name. */
function realName(key: string, { name }: LockedPackage): string | undefined {
  return typeof name === 'string' ? name : nameOf(key);
}

function versionsByName(packages: ReadonlyMap<string, LockedPackage>): Map<string, Set<string>> {
  const versions = new Map<string, Set<string>>();
  for (const [key, entry] of packages) {
    const name = realName(key, entry);
    if (name === undefined || entry.link || typeof entry.version !== 'string') continue;
    versions.set(name, (versions.get(name) ?? new Set()).add(entry.version));
  }
  return versions;
}

/** Longest path that a system opens, in characters. */
const maxPath = 4096;

/** `packages` by their folders; lock files of version 1 have a tree instead. */
function packagesOf(lock: Record<string, unknown> | undefined): Map<string, LockedPackage> {
  const packages = new Map<string, LockedPackage>();
  if (isPlainObject(lock?.packages)) {
    for (const [key, entry] of Object.entries(lock.packages))
      if (isPlainObject(entry)) packages.set(key, entry);
    return packages;
  }
  const visit = (tree: unknown, above: string): void => {
    if (!isPlainObject(tree) || above.length > maxPath) return;
    for (const [name, entry] of Object.entries(tree)) {
      if (!isPlainObject(entry)) continue;
      const key = `${above}node_modules/${name}`;
      packages.set(key, entry);
      visit(entry.dependencies, `${key}/`);
    }
  };
  visit(lock?.dependencies, '');
  return packages;
}
