// npm: `node_modules/.package-lock.json` records what npm installed last; a package that changed since then is read again.
// https://docs.npmjs.com/cli/configuring-npm/package-lock-json#hidden-lockfiles

import { lockLacksPlatform } from '@envsnap/shared/catalogue/formats';
import { isPlainObject, recordOf } from '@envsnap/shared/plain-object';
import {
  addState,
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
import { changedPackages, editedPackages } from './edited-packages.ts';
import { namesPlatform, type PlatformTest, platformOfName, platformTest } from './platform.ts';

/** An entry of a lock file, as npm writes it. */
type LockedPackage = Readonly<Record<string, unknown>>;
type Packages = ReadonlyMap<string, LockedPackage>;

export async function npmDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, files, path, at } = place;
  if (!(await files.isFolder(at('node_modules')))) return undefined;
  const locked = packagesOf(await readJsonObject(machine, path));
  const hiddenPath = at('node_modules/.package-lock.json');
  const hidden = packagesOf(await readJsonObject(machine, hiddenPath));
  const hiddenMs = (await files.status(hiddenPath))?.changedMs ?? 0;
  const drift = new Map<string, string>();
  // `install-strategy=linked`, an experiment of npm, puts packages into a store.
  if ([...hidden.keys()].some((key) => key.startsWith('node_modules/.store/'))) return undefined;
  const missing = new Set<LockedPackage>();
  const present = new Set<LockedPackage>();
  for (const [key, entry] of locked) {
    const name = nameOf(key);
    if (name === undefined || entry.link || typeof entry.version !== 'string') continue;
    if (hidden.get(key)?.link) {
      addVersion(drift, name, linkedVersion);
      continue;
    }
    const manifest = at(key, 'package.json');
    const changed = (await files.status(manifest))?.changedMs;
    if (changed === undefined) {
      missing.add(entry);
      continue;
    }
    present.add(entry);
    const known = hidden.get(key)?.version;
    const version =
      typeof known === 'string' && changed <= hiddenMs ? known : await manifestVersion(place, manifest);
    if (version !== undefined && version !== entry.version) addVersion(drift, name, version);
  }
  if (present.size === 0 && [...missing].some(({ optional }) => !optional))
    return new Map([[everything, '']]);
  addMissing(drift, locked, missing);
  const fits = await platformTest(machine);
  addPlatforms(drift, locked, { present, hidden, fits });
  await addLinks(drift, place, locked, hidden);
  await addBins(drift, place, locked, present);
  for (const [name, state] of await brokenPrograms(place)) drift.set(name, state);
  for (const [name, state] of await editedPackages(place, hiddenPath)) addState(drift, name, state);
  const folders = [...locked].flatMap(([key, entry]) =>
    present.has(entry) ? [[nameOf(key) ?? '', key] as const] : [],
  );
  for (const [name, version, gone] of await changedPackages(place, folders, hiddenPath))
    if (gone !== undefined) addState(drift, name, `${version} without ${gone}`);
  for (const [key, isLink] of await unlockedPackages(place, locked)) {
    const name = nameOf(key) as string;
    const version = await manifestVersion(place, at(key, 'package.json'));
    if (version !== undefined && !drift.has(name)) addVersion(drift, name, isLink ? linkedVersion : version);
  }
  for (const name of platformsLeftOut(locked, present, fits))
    if (!drift.has(name)) drift.set(name, lockLacksPlatform);
  return drift;
}

/**
 * Optional packages for this machine that npm left out of a lock file that has those for other platforms. This is a known bug of
 * npm: `npm ci` never installs them. https://github.com/npm/cli/issues/4828
 */
function platformsLeftOut(locked: Packages, present: ReadonlySet<LockedPackage>, fits: PlatformTest) {
  const names = new Set([...locked.keys()].map(nameOf));
  return [...present].flatMap(({ optionalDependencies }) => {
    const optional = Object.keys(recordOf(optionalDependencies)).map(
      (name) => [name, platformOfName(name)] as const,
    );
    const ofPlatforms = optional.filter(([, platform]) => namesPlatform(platform));
    const isAnyLocked = ofPlatforms.some(([name]) => names.has(name));
    const lacking = ofPlatforms.filter(([name, platform]) => !names.has(name) && fits(platform));
    return isAnyLocked ? lacking.map(([name]) => name) : [];
  });
}

/** Maximum number of packages whose folders are searched for packages that are not in the lock file. */
const maxDirect = 300;

/**
 * Packages at the top, and directly below those that the project asks for, that are not in the lock file, or are links although
 * it does not say so.
 */
async function unlockedPackages({ files, at }: LockPlace, locked: Packages) {
  const { dependencies, devDependencies } = locked.get('') ?? {};
  const direct = [dependencies, devDependencies].flatMap((kind) => Object.keys(recordOf(kind)));
  const found: [key: string, isLink: boolean][] = [];
  for (const above of ['', ...direct.slice(0, maxDirect).map((name) => `node_modules/${name}/`)]) {
    if (above !== '' && !(await files.names(at(above))).includes('node_modules')) continue;
    const pending = [`${above}node_modules`];
    for (const folder of pending)
      for (const { name, kind } of await files.entries(at(folder))) {
        const key = `${folder}/${name}`;
        const isLink = kind === 'symlink';
        if (kind === 'file' || name.startsWith('.')) continue;
        if (name.startsWith('@') && !folder.includes('/@', above.length)) pending.push(key);
        else if (!key.includes('..') && (isLink ? locked.get(key)?.link !== true : !locked.has(key)))
          found.push([key, isLink]);
      }
  }
  return found;
}

/** The package in a folder of `packages`; undefined for a workspace's own folder. */
function nameOf(key: string): string | undefined {
  const at = key.lastIndexOf('node_modules/');
  return at < 0 || key.includes('..') ? undefined : key.slice(at + 'node_modules/'.length);
}

/** Records packages that a full installation would have and that are missing. */
function addMissing(drift: Map<string, string>, locked: Packages, missing: ReadonlySet<LockedPackage>): void {
  const expected = [...locked].filter(
    ([, { version, link, optional, devOptional, peer }]) =>
      typeof version === 'string' && !(link || optional || devOptional || peer),
  );
  const dev = expected.filter(([key, entry]) => entry.dev && nameOf(key) !== undefined);
  // No development package is there: installed with --omit=dev.
  const noneOfDev = dev.every(([, entry]) => missing.has(entry));
  if (noneOfDev && dev.length > 0) drift.set(development, '');
  const absent = new Set<string>();
  for (const [key, entry] of expected) {
    const name = nameOf(key);
    if (name === undefined || !missing.has(entry) || drift.has(name) || (entry.dev && noneOfDev)) continue;
    absent.add(name);
  }
  const ofGone = [...locked].filter(([key]) => absent.has(nameOf(key) ?? ''));
  // If a package has several versions, those that are installed are not missing; if all are there, it is missing in one place.
  for (const [name, entries] of Map.groupBy(ofGone, ([key]) => nameOf(key) ?? '')) {
    const versions = (some: typeof entries) => new Set(some.map(([, { version }]) => String(version)));
    const remaining = versions(entries.filter(([, entry]) => !missing.has(entry)));
    drift.set(name, remaining.size < versions(entries).size ? [...remaining].sort().join(', ') : '');
  }
}

interface Noted {
  readonly present: ReadonlySet<LockedPackage>;
  /** npm's record of its installation. */
  readonly hidden: Packages;
  readonly fits: PlatformTest;
}

/**
 * Optional packages for one platform each: the one for this machine must be installed, unless none is, as after
 * `--omit=optional`. One for another platform shows that the folder was copied from there.
 */
function addPlatforms(drift: Map<string, string>, locked: Packages, { present, hidden, fits }: Noted): void {
  const optional = [...locked].filter(
    ([key, entry]) =>
      entry.optional === true && nameOf(key) !== undefined && typeof entry.version === 'string',
  );
  const anyPresent = optional.some(([, entry]) => present.has(entry) && namesPlatform(entry));
  const lacking = optional.filter(
    ([key, entry]) =>
      !present.has(entry) && fits(entry) && (hidden.has(key) || (namesPlatform(entry) && anyPresent)),
  );
  for (const [key] of lacking) drift.set(nameOf(key) as string, '');
  for (const [key, entry] of lacking.length > 0 ? optional : [])
    if (present.has(entry) && !fits(entry))
      drift.set(nameOf(key) as string, `${String(entry.version)} for another platform`);
}

/** Links to workspace packages: each must exist, work, and lead to the package that the lock file names. */
async function addLinks(
  drift: Map<string, string>,
  { machine, files, at }: LockPlace,
  locked: Packages,
  hidden: Packages,
): Promise<void> {
  const found: [name: string, key: string, state: string | undefined][] = [];
  for (const [key, { link, resolved }] of locked) {
    const name = nameOf(key);
    if (!link || name === undefined || typeof resolved !== 'string' || resolved.includes('..')) continue;
    const status = await machine.linkStatus(at(key)).catch(() => undefined);
    const target = await files.realPath(at(key));
    let state = status?.kind === 'symlink' ? 'a link to another folder' : 'a folder instead of a link';
    if (target === undefined) state = 'a broken link';
    else if (target === (await files.realPath(at(resolved)))) state = '';
    found.push([name, key, status && state]);
  }
  const anyThere = found.some(([, , state]) => state !== undefined);
  for (const [name, key, state] of found) {
    if (state === undefined && !anyThere && !hidden.has(key)) continue;
    if (state !== '') drift.set(name, state ?? '');
  }
}

/** Programs of packages at the top: `.bin/vite`. If the folder is missing, that is one finding. */
async function addBins(
  drift: Map<string, string>,
  place: LockPlace,
  locked: Packages,
  present: ReadonlySet<LockedPackage>,
): Promise<void> {
  const names = await place.files.names(place.at('node_modules/.bin'));
  const there = new Set(names.map((name) => name.replace(/\.(?:cmd|ps1|exe)$/, '')));
  if (!(await linksPrograms(place))) return;
  const missing = [...locked].flatMap(([key, entry]) =>
    /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(key) && present.has(entry)
      ? Object.keys(recordOf(entry.bin)).filter((bin) => !there.has(bin))
      : [],
  );
  if (there.size === 0 && missing.length > 0) drift.set('.bin', '');
  else for (const bin of missing) drift.set(`.bin/${bin}`, '');
}

/** Longest path that a system opens, in characters. */
const maxPath = 4096;

/** `packages` by their folders; lock files of version 1 have a tree instead. */
function packagesOf(lock: Record<string, unknown> | undefined): Packages {
  const packages = new Map<string, LockedPackage>();
  const visit = (tree: unknown, above: string): void => {
    for (const [name, entry] of above.length > maxPath ? [] : Object.entries(recordOf(tree))) {
      if (!isPlainObject(entry)) continue;
      packages.set(above + name, entry);
      if (above !== '') visit(entry.dependencies, `${above}${name}/node_modules/`);
    }
  };
  if (isPlainObject(lock?.packages)) visit(lock.packages, '');
  else visit(lock?.dependencies, 'node_modules/');
  return packages;
}
