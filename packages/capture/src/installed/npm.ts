// npm: `node_modules/.package-lock.json` says what npm installed last; a package that changed since is read itself.
// https://docs.npmjs.com/cli/configuring-npm/package-lock-json#hidden-lockfiles

import { isObject } from '../dependencies/text/json.ts';
import {
  addVersion,
  changedMs,
  type Drift,
  type LockPlace,
  linkedVersion,
  manifestVersion,
  readJsonObject,
} from './drift.ts';

interface LockedPackage {
  readonly name?: unknown;
  readonly version?: unknown;
  readonly link?: unknown;
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
  const hiddenMs = (await changedMs(machine, hiddenPath)) ?? 0;
  const drift = new Map<string, string>();
  if ([...hidden.keys()].some((key) => key.startsWith(storeFolder))) return storeDrift(locked, hidden);
  const missing: LockedPackage[] = [];

  for (const [key, entry] of locked) {
    const name = nameOf(key);
    if (name === undefined || entry.link || typeof entry.version !== 'string') continue;
    if (hidden.get(key)?.link) {
      addVersion(drift, name, linkedVersion);
      continue;
    }
    const manifest = join(root, ...key.split('/'), 'package.json');
    const changed = await changedMs(machine, manifest);
    if (changed === undefined) {
      missing.push(entry);
      continue;
    }
    const known = hidden.get(key)?.version;
    const version =
      typeof known === 'string' && changed <= hiddenMs ? known : await manifestVersion(place, manifest);
    if (version !== undefined && version !== entry.version) addVersion(drift, name, version);
  }
  addMissing(drift, locked, new Set(missing));
  for (const [key, { version, link }] of hidden) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (name === undefined || name.includes('..') || locked.has(key) || typeof version !== 'string' || link)
      continue;
    if (await machine.files.isFile(join(root, ...key.split('/'), 'package.json')))
      addVersion(drift, name, version);
  }
  return drift;
}

/** The package in a folder of `packages`; undefined for a workspace's own folder. */
function nameOf(key: string): string | undefined {
  const at = key.lastIndexOf('node_modules/');
  return at < 0 || key.includes('..') ? undefined : key.slice(at + 'node_modules/'.length);
}

/** Notes what is not there and would be, had everything been installed. */
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
  for (const [key, entry] of wanted) {
    const name = nameOf(key);
    if (name === undefined || !missing.has(entry) || drift.has(name) || (entry.dev && noneOfDev)) continue;
    drift.set(name, '');
  }
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

/** The store has an alias under its real name. */
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

/** `packages` by their folders; lock files of version 1 have a tree instead. */
function packagesOf(lock: Record<string, unknown> | undefined): Map<string, LockedPackage> {
  const packages = new Map<string, LockedPackage>();
  if (isObject(lock?.packages)) {
    for (const [key, entry] of Object.entries(lock.packages)) if (isObject(entry)) packages.set(key, entry);
    return packages;
  }
  const visit = (tree: unknown, above: string): void => {
    if (!isObject(tree)) return;
    for (const [name, entry] of Object.entries(tree)) {
      if (!isObject(entry)) continue;
      const key = `${above}node_modules/${name}`;
      packages.set(key, entry);
      visit(entry.dependencies, `${key}/`);
    }
  };
  visit(lock?.dependencies, '');
  return packages;
}
