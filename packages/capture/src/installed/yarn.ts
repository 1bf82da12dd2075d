// Yarn: what `.yarn-state.yml`, `.yarn-integrity` or Plug'n'Play say is installed.

import { isPlainObject, itemsOf } from '@envsnap/shared/plain-object';
import {
  askedPackages,
  type Drift,
  everything,
  type LockPlace,
  readJsonObject,
  readStateFile,
} from './drift.ts';
import { addUnlocked, modulesDrift, plugAndPlayFiles, type StateReader } from './node-modules.ts';
import { namesPlatform, platformOfName, platformTest } from './platform.ts';

export const yarnDrift = async (place: LockPlace) =>
  (await pnpDrift(place)) ??
  modulesDrift(place, async (each) => (await berryState(each)) ?? classicState(each));

/** `"zod@npm:4.6.7":`, `"react-dom@virtual:…#npm:18.2.0":` and `"web@workspace:web":` in .yarn-state.yml of Yarn 2 and later. */
const berryState: StateReader = async ({ machine, files, at }) => {
  const path = at('node_modules/.yarn-state.yml');
  const writtenMs = (await files.status(path))?.changedMs;
  if (writtenMs === undefined) return undefined;
  const found: [string, string][] = [];
  const folders: [string, string][] = [];
  let name: string | undefined;
  for (const line of (await readStateFile(machine, path).catch(() => '')).split('\n')) {
    const [, heading, version] =
      /^"?((?:@[^/\s"]+\/)?[^@\s"]+)@(?:virtual:[^#\s]*#)?(?:npm|workspace):(?:(\d[^"\s:]*)"?:)?/.exec(
        line,
      ) ?? [];
    if (/^\S/.test(line)) name = heading;
    if (heading !== undefined && version !== undefined) found.push([heading, version]);
    const folder = line.startsWith('    - ') ? line.slice(6).replace(/^"|"$/g, '') : '';
    if (name !== undefined && folder.includes('node_modules/')) folders.push([name, folder]);
  }
  return { packages: collect(found), writtenMs, folders, note: path };
};

/** `lockfileEntries` of .yarn-integrity: `"zod@^4.0.0": "https://…/zod-4.6.7.tgz#…"`, of Yarn 1. */
const classicState: StateReader = async (place) => {
  const path = place.at('node_modules/.yarn-integrity');
  const writtenMs = (await place.files.status(path))?.changedMs;
  const note = (await readJsonObject(place.machine, path)) ?? {};
  if (writtenMs === undefined || !isPlainObject(note.lockfileEntries)) return undefined;
  const found = Object.entries(note.lockfileEntries).flatMap(([pattern, resolved]): [string, string][] => {
    const name = /^((?:@[^/]+\/)?[^@]+)@/.exec(pattern)?.[1];
    const version = versionInTarball(String(resolved));
    return name && version && !/@npm:/.test(pattern) ? [[name, version]] : [];
  });
  // A workspace package is in no lock file.
  const noted = itemsOf(note, 'topLevelPatterns').map((pattern) => /^(.[^@]*)@/s.exec(String(pattern))?.[1]);
  const known = new Set([...noted, ...Object.keys(place.locked)]);
  // The record of a production install names the packages for development, too.
  const needed = await wantedOfClassic(place, itemsOf(note, 'flags').length === 0 ? noted : []);
  const required = new Set([...needed].filter((name) => known.has(name)));
  return { packages: collect(found), writtenMs, wanted: required, note: path };
};

/** `4.6.7` of `https://…/zod-4.6.7.tgz#…`. */
function versionInTarball(address: string): string | undefined {
  const plain = address.replace(/[?#].*$/s, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const at = name.search(/-\d/);
  return at < 0 || !name.endsWith('.tgz') ? undefined : name.slice(at + 1, -'.tgz'.length);
}

/**
 * Names of which Yarn 1 installs a version at the top: all that are needed, except optional packages for other platforms.
 * `noted`: the workspace packages and all that they ask for.
 */
async function wantedOfClassic(
  place: LockPlace,
  noted: readonly (string | undefined)[],
): Promise<ReadonlySet<string>> {
  const { machine, files, at, path } = place;
  /** All names of an entry have the same dependencies. */
  const required = new Map<string, Set<string>[]>();
  const fits = await platformTest(machine);
  let needs = new Set<string>();
  let kind = '';
  for (const line of (await readStateFile(machine, path).catch(() => '')).split('\n')) {
    if (/^\S/.test(line)) {
      needs = new Set();
      for (const [, name = ''] of line.matchAll(/(?:^|, )"?((?:@[^/\s"]+\/)?[^@\s",]+)@/g)) {
        const known = required.get(name);
        if (!known) required.set(name, [needs]);
        else if (known.at(-1) !== needs) known.push(needs);
      }
    } else if (/^ {2}\S/.test(line)) kind = line.trim();
    else if (kind === 'dependencies:' || kind === 'optionalDependencies:') {
      const dependency = /^ {4}"?((?:@[^/\s"]+\/)?[^\s"]+)"?\s/.exec(line)?.[1];
      if (dependency === undefined) continue;
      // Only the name of an optional package says whether it is for this platform.
      const platform = platformOfName(dependency);
      if (kind === 'optionalDependencies:' && !(namesPlatform(platform) && fits(platform))) continue;
      needs.add(dependency);
    }
  }
  const [usual = [], forDevelopment = [], workspaces = []] = (
    await askedPackages(place, 'dependencies', 'devDependencies', 'workspaces')
  ).map(Object.keys);
  // What is not hoisted lies in the folder of its workspace.
  const ofWorkspaces = workspaces.includes('nohoist') ? [] : noted;
  const others = ofWorkspaces.filter((name) => name !== undefined && !forDevelopment.includes(name));
  const there = await Promise.all(forDevelopment.map((name) => files.isFolder(at('node_modules', name))));
  const pending = [...usual, ...others, ...(there.includes(true) ? forDevelopment : [])];
  const reached = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const dependencies of required.get(name) ?? []) {
      for (const each of dependencies) pending.push(each);
      // Computed once for all names of the entry.
      dependencies.clear();
    }
  }
  return reached;
}

/** Plug'n'Play: `.pnp.cjs` has every package with its version, one per line. It is read as text, never run. */
async function pnpDrift(place: LockPlace): Promise<Drift | undefined> {
  for (const name of plugAndPlayFiles) {
    if (!(await place.files.isFile(place.at(name)))) continue;
    const text = await readStateFile(place.machine, place.at(name)).catch(() => '');
    const drift = new Map<string, string>();
    let current = '';
    const found: [string, string][] = [];
    for (const [, packageName, version] of text.matchAll(
      /\["((?:@[^"/]+\/)?[^"@:#]+)",\s*\[\\?\s*(?=\[)|\["(?:virtual:[^"#]*#)?npm:([^":]+)(?::[^"]*)?",\s*\{/g,
    )) {
      if (packageName) current = packageName;
      else if (version && current) found.push([current, version]);
    }
    for (const [packageName, versions] of collect(found)) addUnlocked(drift, place, packageName, versions);
    const archives = await lackingArchives(place, text);
    if (archives.isNothingThere) return new Map([[everything, '']]);
    for (const packageName of archives.names) drift.set(packageName, '');
    return drift;
  }
  return undefined;
}

/** Packages whose archives are missing: a clone has the map, but has the cache only if git tracks it. */
async function lackingArchives({ machine, files, root, path, locked }: LockPlace, map: string) {
  const names: string[] = [];
  let present = 0;
  const fits = await platformTest(machine);
  const lock = await readStateFile(machine, path).catch(() => '');
  // `conditions: os=linux & cpu=arm64 & libc=glibc`: the map includes packages for other platforms.
  const ofOthers = new Set(
    lock.split('\n\n').flatMap((entry) => {
      const [, name = ''] = /^ {2}resolution: "((?:@[^/"]+\/)?[^@"]+)@/m.exec(entry) ?? [];
      const conditions = /^ {2}conditions: (.*)$/m.exec(entry)?.[1];
      const pairs = conditions?.split(' & ').map((each) => each.split('='));
      return pairs && !fits(Object.fromEntries(pairs)) ? [name] : [];
    }),
  );
  // `"../.yarn/berry/cache/zod-npm-4.6.7-….zip/node_modules/zod/"`, `"./.yarn/unplugged/esbuild-npm-…/node_modules/esbuild/"`
  for (const [, location = ''] of map.matchAll(/"packageLocation": "([^"]+)\/"/g)) {
    const end = location.lastIndexOf('/node_modules/');
    const place = location.slice(0, Math.max(end, 0));
    const name = location.slice(end + '/node_modules/'.length);
    if (!place.endsWith('.zip') && place.split('/').at(-2) !== 'unplugged') continue;
    if (!Object.hasOwn(locked, name) || ofOthers.has(name)) continue;
    const real = place.replace(/__virtual__\/[^/]+\/(\d)\//, (_, up) => '../'.repeat(Number(up)));
    if ((await files.status(files.paths.resolve(root, real))) === undefined) names.push(name);
    else if (place.endsWith('.zip')) present += 1;
  }
  return { names, isNothingThere: present === 0 && names.length > 0 };
}

function collect(found: Iterable<readonly [name: string, version: string]>): Map<string, Set<string>> {
  const packages = new Map<string, Set<string>>();
  for (const [name, version] of found) packages.set(name, (packages.get(name) ?? new Set()).add(version));
  return packages;
}
