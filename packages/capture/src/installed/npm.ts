// npm: `node_modules/.package-lock.json` says what npm installed last; a package that changed since is read itself.
// https://docs.npmjs.com/cli/configuring-npm/package-lock-json#hidden-lockfiles

import { isObject } from '../dependencies/json.ts';
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
  const devMissing: string[] = [];
  let devCount = 0;

  for (const [key, entry] of locked) {
    const at = key.lastIndexOf('node_modules/');
    if (at < 0 || key.includes('..') || entry.link || typeof entry.version !== 'string') continue;
    const name = key.slice(at + 'node_modules/'.length);
    const mayMiss = Boolean(entry.optional || entry.devOptional || entry.peer);
    if (entry.dev && !mayMiss) devCount += 1;
    if (hidden.get(key)?.link) {
      addVersion(drift, name, linkedVersion);
      continue;
    }
    const manifest = join(root, ...key.split('/'), 'package.json');
    const changed = await changedMs(machine, manifest);
    if (changed === undefined) {
      if (mayMiss) continue;
      if (entry.dev) devMissing.push(name);
      else if (!drift.has(name)) drift.set(name, '');
      continue;
    }
    const known = hidden.get(key)?.version;
    const version =
      typeof known === 'string' && changed <= hiddenMs ? known : await manifestVersion(place, manifest);
    if (version !== undefined && version !== entry.version) addVersion(drift, name, version);
  }
  // None at all: installed with --omit=dev.
  if (devMissing.length < devCount) for (const name of devMissing) if (!drift.has(name)) drift.set(name, '');
  for (const [key, { version, link }] of hidden) {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(key)?.[1];
    if (name === undefined || name.includes('..') || locked.has(key) || typeof version !== 'string' || link)
      continue;
    if (await machine.files.isFile(join(root, ...key.split('/'), 'package.json')))
      addVersion(drift, name, version);
  }
  return drift;
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
