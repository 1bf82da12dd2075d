// Yarn: what `.yarn-state.yml`, `.yarn-integrity` or Plug'n'Play say is installed.

import { isPlainObject } from '@envsnap/shared/plain-object';
import { type Drift, everything, type LockPlace, readJsonObject, readStateFile } from './drift.ts';
import { addUnlocked, modulesDrift, plugAndPlayFiles, type StateReader } from './node-modules.ts';
import { namesPlatform, platformOfName, platformTest } from './platform.ts';

export const yarnDrift = async (place: LockPlace) =>
  (await pnpDrift(place)) ??
  modulesDrift(place, async (each) => (await berryState(each)) ?? classicState(each));

/** `"zod@npm:4.6.7":` and `"react-dom@virtual:…#npm:18.2.0":` in .yarn-state.yml of Yarn 2 and later. */
const berryState: StateReader = async ({ machine, root }) => {
  const path = machine.files.paths.join(root, 'node_modules', '.yarn-state.yml');
  const writtenMs = (await machine.files.status(path))?.changedMs;
  if (writtenMs === undefined) return undefined;
  const text = await readStateFile(machine, path).catch(() => '');
  const found = text.matchAll(/^"?((?:@[^/\s"]+\/)?[^@\s"]+)@(?:virtual:[^#\s]*#)?npm:([^"\s:]+)"?:/gm);
  const folders: [string, string][] = [];
  let name: string | undefined;
  for (const line of text.split('\n')) {
    const [, heading] = /^"?((?:@[^/\s"]+\/)?[^@\s"]+)@(?:virtual:[^#\s]*#)?npm:/.exec(line) ?? [];
    if (/^\S/.test(line)) name = heading;
    const listed = line.startsWith('    - ') ? line.slice(6).replace(/^"|"$/g, '') : '';
    const folder = listed.includes('node_modules/') ? listed : undefined;
    if (name !== undefined && folder !== undefined) folders.push([name, folder]);
  }
  return { packages: collect(found), writtenMs, folders, note: path };
};

/** `lockfileEntries` of .yarn-integrity: `"zod@^4.0.0": "https://…/zod-4.6.7.tgz#…"`, of Yarn 1. */
const classicState: StateReader = async (place) => {
  const { machine, root } = place;
  const path = machine.files.paths.join(root, 'node_modules', '.yarn-integrity');
  const writtenMs = (await machine.files.status(path))?.changedMs;
  const { lockfileEntries: entries, topLevelPatterns: noted } = (await readJsonObject(machine, path)) ?? {};
  if (writtenMs === undefined || !isPlainObject(entries)) return undefined;
  const found = Object.entries(entries).flatMap(([pattern, resolved]): [string, string, string][] => {
    const name = /^((?:@[^/]+\/)?[^@]+)@/.exec(pattern)?.[1];
    const version = versionInTarball(String(resolved));
    return name && version && !/@npm:/.test(pattern) ? [['', name, version]] : [];
  });
  // A package of the workspace is in no lock file.
  const patterns: unknown[] = Array.isArray(noted) ? noted : [];
  const notedNames = new Set(patterns.map((pattern) => /^(.[^@]*)@/s.exec(String(pattern))?.[1]));
  const isKnown = (name: string) => Object.hasOwn(place.locked, name) || notedNames.has(name);
  const wanted = new Set([...(await wantedOfClassic(place))].filter(isKnown));
  return { packages: collect(found), writtenMs, wanted, note: path };
};

/** `4.6.7` of `https://…/zod-4.6.7.tgz#…`. */
function versionInTarball(address: string): string | undefined {
  const plain = address.replace(/[?#].*$/s, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const at = name.search(/-\d/);
  return at < 0 || !name.endsWith('.tgz') ? undefined : name.slice(at + 1, -'.tgz'.length);
}

/** Everything that Yarn 1 installs one version of at the top: what is reached, but optional packages for other platforms. */
async function wantedOfClassic({ machine, root, path }: LockPlace): Promise<ReadonlySet<string>> {
  /** Names of one entry share its dependencies. */
  const required = new Map<string, Set<string>[]>();
  const fits = await platformTest(machine);
  let asked = new Set<string>();
  let kind = '';
  for (const line of (await readStateFile(machine, path).catch(() => '')).split('\n')) {
    if (/^\S/.test(line)) {
      asked = new Set();
      for (const [, name = ''] of line.matchAll(/(?:^|, )"?((?:@[^/\s"]+\/)?[^@\s",]+)@/g)) {
        const known = required.get(name);
        if (!known) required.set(name, [asked]);
        else if (known.at(-1) !== asked) known.push(asked);
      }
    } else if (/^ {2}\S/.test(line)) kind = line.trim();
    else if (kind === 'dependencies:' || kind === 'optionalDependencies:') {
      const dependency = /^ {4}"?((?:@[^/\s"]+\/)?[^\s"]+)"?\s/.exec(line)?.[1];
      if (dependency === undefined) continue;
      // Of an optional package nothing but its name says whether it is for this platform.
      const platform = platformOfName(dependency);
      if (kind === 'optionalDependencies:' && !(namesPlatform(platform) && fits(platform))) continue;
      asked.add(dependency);
    }
  }
  const manifest = await readJsonObject(machine, machine.files.paths.join(root, 'package.json'));
  const namesOf = (section: unknown) => (isPlainObject(section) ? Object.keys(section) : []);
  const forDevelopment = namesOf(manifest?.devDependencies);
  const modules = machine.files.paths.join(root, 'node_modules');
  const there = await Promise.all(
    forDevelopment.map((name) => machine.files.isFolder(machine.files.paths.join(modules, name))),
  );
  const pending = [...namesOf(manifest?.dependencies), ...(there.includes(true) ? forDevelopment : [])];
  const reached = new Set<string>();
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    for (const dependencies of required.get(name) ?? []) {
      for (const each of dependencies) pending.push(each);
      // Once for all names of the entry.
      dependencies.clear();
    }
  }
  return reached;
}

/** Plug'n'Play: `.pnp.cjs` holds every package with its version, a line each; it is read as text, never run. */
async function pnpDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, root } = place;
  for (const name of plugAndPlayFiles) {
    const path = machine.files.paths.join(root, name);
    if (!(await machine.files.isFile(path))) continue;
    const text = await readStateFile(machine, path).catch(() => '');
    const drift = new Map<string, string>();
    let current = '';
    const found: [string, string, string][] = [];
    for (const [, packageName, version] of text.matchAll(
      /\["((?:@[^"/]+\/)?[^"@:#]+)",\s*\[\\?\s*(?=\[)|\["(?:virtual:[^"#]*#)?npm:([^":]+)(?::[^"]*)?",\s*\{/g,
    )) {
      if (packageName) current = packageName;
      else if (version && current) found.push(['', current, version]);
    }
    for (const [packageName, versions] of collect(found)) addUnlocked(drift, place, packageName, versions);
    const archives = await lackingArchives(place, text);
    if (archives.isNothingThere) return new Map([[everything, '']]);
    for (const packageName of archives.names) drift.set(packageName, '');
    return drift;
  }
  return undefined;
}

/** Packages whose archives are gone: a clone has the map, and a cache only where git has it. */
async function lackingArchives(
  { machine, root, path, locked }: LockPlace,
  map: string,
): Promise<{ names: string[]; isNothingThere: boolean }> {
  const { resolve } = machine.files.paths;
  const names: string[] = [];
  let present = 0;
  const fits = await platformTest(machine);
  const lock = await readStateFile(machine, path).catch(() => '');
  // `conditions: os=linux & cpu=arm64 & libc=glibc`: the map has what is for other platforms too.
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
    const [place = '', name = ''] = splitAtLast(location, '/node_modules/');
    if (!place.endsWith('.zip') && place.split('/').at(-2) !== 'unplugged') continue;
    if (!Object.hasOwn(locked, name) || ofOthers.has(name)) continue;
    const archive = resolve(
      root,
      place.replace(/__virtual__\/[^/]+\/(\d)\//, (_, up) => '../'.repeat(Number(up))),
    );
    if ((await machine.files.status(archive)) === undefined) names.push(name);
    else if (place.endsWith('.zip')) present += 1;
  }
  return { names, isNothingThere: present === 0 && names.length > 0 };
}

function splitAtLast(text: string, separator: string): string[] {
  const at = text.lastIndexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

function collect(found: Iterable<readonly (string | undefined)[]>): Map<string, Set<string>> {
  const packages = new Map<string, Set<string>>();
  for (const [, name = '', version = ''] of found) {
    const known = packages.get(name);
    if (known) known.add(version);
    else packages.set(name, new Set([version]));
  }
  return packages;
}
