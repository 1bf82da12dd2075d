// pnpm, Yarn and Bun: what their own state files say is installed, and what stands at the top of `node_modules` itself.

import { isObject } from '../dependencies/text/json.ts';
import {
  addVersion,
  areAlike,
  changedMs,
  type Drift,
  type LockPlace,
  manifestVersion,
  readJsonObject,
  readStateFile,
  versionsOf,
} from './drift.ts';
import { editedPackages } from './edited-packages.ts';
import { namesPlatform, platformOfName, platformTest } from './platform.ts';

/** What a package manager noted of its last installation. */
interface InstallState {
  readonly packages: ReadonlyMap<string, ReadonlySet<string>>;
  /** Folders that it made, by package; each must be there. Absent where it does not say. */
  readonly folders?: readonly (readonly [name: string, folder: string])[];
  /** Names that must stand at the top, beside those that `package.json` asks for. */
  readonly wanted?: ReadonlySet<string>;
  /** The file of the note, which an installation writes last. */
  readonly note: string;
  /** Time of the note; packages that changed later are read themselves. */
  readonly writtenMs: number;
}

type StateReader = (place: LockPlace) => Promise<InstallState | undefined>;

export const pnpmDrift = (place: LockPlace) => modulesDrift(place, pnpmState);
export const yarnDrift = async (place: LockPlace) =>
  (await pnpDrift(place)) ??
  modulesDrift(place, async (each) => (await berryState(each)) ?? classicState(each));
export const bunDrift = (place: LockPlace) => modulesDrift(place, async () => undefined);

async function modulesDrift(place: LockPlace, readState: StateReader): Promise<Drift | undefined> {
  const { machine, root, locked } = place;
  const { join } = machine.files.paths;
  const modules = join(root, 'node_modules');
  if (!(await machine.files.isFolder(modules))) return undefined;
  const drift = new Map<string, string>();
  const state = await readState(place);
  for (const [name, versions] of state?.packages ?? []) addUnlocked(drift, place, name, versions);

  const top = await topPackages(place, modules);
  for (const name of top) {
    if (!Object.hasOwn(locked, name) || name.includes('..')) continue;
    const manifest = join(modules, ...name.split('/'), 'package.json');
    const changed = await changedMs(machine, manifest);
    // A link that leads nowhere, or an empty folder.
    if (changed === undefined) top.delete(name);
    if (changed === undefined || (state && changed <= state.writtenMs)) continue;
    const version = await manifestVersion(place, manifest);
    if (version !== undefined) addUnlocked(drift, place, name, [version]);
  }
  for (const name of [...(await missingDirect(place, top)), ...(await missingFolders(place, state))])
    if (!drift.has(name)) drift.set(name, '');
  for (const name of state?.wanted ?? [])
    if (!top.has(name) && !drift.has(name) && Object.hasOwn(locked, name)) drift.set(name, '');
  for (const name of await lackingPlatforms(place, top, state)) if (!drift.has(name)) drift.set(name, '');
  if (state)
    for (const [name, version] of await editedPackages(place, state.note))
      if (!drift.has(name)) drift.set(name, version);
  return drift;
}

/** Folders of packages that are looked for. */
const maxFolders = 100_000;

/** Packages whose folders are gone, those of other packages' dependencies too. */
async function missingFolders(
  { machine, root }: LockPlace,
  state: InstallState | undefined,
): Promise<string[]> {
  const { join } = machine.files.paths;
  const missing: string[] = [];
  for (const [name, folder] of (state?.folders ?? []).slice(0, maxFolders)) {
    if (folder.split('/').includes('..')) continue;
    const manifest = join(root, ...folder.split('/'), 'package.json');
    if ((await machine.status(manifest).catch(() => undefined)) === undefined) missing.push(name);
  }
  return missing;
}

/**
 * Packages for this platform that the lock file has and the last installation did not make, where it made others of their kind:
 * the folder was copied from another platform. Names tell the platform, as `@esbuild/linux-x64` does.
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

function addUnlocked(
  drift: Map<string, string>,
  { locked }: LockPlace,
  name: string,
  versions: Iterable<string>,
): void {
  if (!Object.hasOwn(locked, name)) return;
  const known = versionsOf(locked[name]);
  // What is not a version (a path, a commit) is not compared.
  if (!known.every((version) => /^\d/.test(version))) return;
  for (const version of versions) if (!known.includes(version)) addVersion(drift, name, version);
}

/** Names of the folders in `node_modules`, those of scopes as `@scope/name`. */
async function topPackages({ machine }: LockPlace, modules: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const { name, kind } of await machine.files.entries(modules)) {
    if (name.startsWith('.') || kind === 'file') continue;
    if (!name.startsWith('@')) names.add(name);
    else
      for (const inner of await machine.files.names(machine.files.paths.join(modules, name)))
        names.add(`${name}/${inner}`);
  }
  return names;
}

/** What `package.json` asks for by itself and the lock file has, and is not there; without any, a whole kind was left out. */
async function missingDirect(place: LockPlace, top: ReadonlySet<string>): Promise<string[]> {
  const manifest = await readJsonObject(
    place.machine,
    place.machine.files.paths.join(place.root, 'package.json'),
  );
  const optional = isObject(manifest?.optionalDependencies) ? manifest.optionalDependencies : {};
  return ['dependencies', 'devDependencies'].flatMap((kind) => {
    const asked = isObject(manifest?.[kind]) ? manifest[kind] : {};
    const names = Object.entries(asked).flatMap(([name, range]) =>
      typeof range === 'string' && !/^(?:workspace|link|file|portal):/.test(range) ? [name] : [],
    );
    const wanted = names.filter(
      (name) => Object.hasOwn(place.locked, name) && !Object.hasOwn(optional, name),
    );
    const missing = wanted.filter((name) => !top.has(name));
    return kind === 'devDependencies' && missing.length === wanted.length ? [] : missing;
  });
}

/** `node_modules/.pnpm/lock.yaml` is the lock file as it was installed. */
const pnpmState: StateReader = async (place) => {
  const { machine, root } = place;
  const path = machine.files.paths.join(root, 'node_modules', '.pnpm', 'lock.yaml');
  const writtenMs = await changedMs(machine, path);
  if (writtenMs === undefined) return undefined;
  const note = machine.files.paths.join(root, 'node_modules', '.modules.yaml');
  try {
    const folders = await pnpmFolders(place, path);
    if (await areAlike(machine, path, place.path)) return { packages: new Map(), writtenMs, folders, note };
    const text = await readStateFile(machine, path);
    const context = { path, warn: () => undefined, readText: async () => undefined };
    const { parsePnpmLock } = await import('../dependencies/parsers/javascript/pnpm.ts');
    const packages = (await parsePnpmLock(text, context)).toRecord((versions) => versions);
    return { packages: setsOf(Object.entries(packages)), writtenMs, folders, note };
  } catch {
    return undefined;
  }
};

/** Names of pnpm's own folders are cut at this length, and end in a digest then. */
const maxPnpmName = 100;

/** `.pnpm/ms@2.1.3/node_modules/ms` for each package of the installed lock file but those that were skipped for their platform. */
async function pnpmFolders(
  { machine, root }: LockPlace,
  installedLock: string,
): Promise<[name: string, folder: string][]> {
  const { join } = machine.files.paths;
  const note = await readStateFile(machine, join(root, 'node_modules', '.modules.yaml')).catch(() => '');
  const skipped = new Set(textsIn(parsedJson(note).skipped));
  // One package has a folder for each set of its peers: `a@1.0.0_b@2.0.0`, `a@1.0.0(b@2.0.0)`.
  const made = new Map(
    (await machine.files.names(join(root, 'node_modules', '.pnpm'))).map((each) => {
      const version = each.indexOf('@', 1);
      const peers = each.slice(version).search(/[_(]/);
      return [peers < 0 || version < 0 ? each : each.slice(0, version + peers), each];
    }),
  );
  // Laid out flat, or in a store elsewhere: then this folder holds no packages.
  if (![...made.keys()].some((name) => /.@\d/.test(name))) return [];
  const text = await readStateFile(machine, installedLock);
  const packages = text.slice(Math.max(0, text.search(/^packages:/m)));
  const folders: [string, string][] = [];
  for (const line of packages.split('\n')) {
    // `  'a@1.0.0':`, or `  a@1.0.0: {}` on one line.
    if (!/^ {2}[^\s#]/.test(line)) continue;
    const key = line
      .slice(2)
      .replace(/: \{\}$|:$/, '')
      .replace(/^'|'$/g, '')
      .replace(/^\//, '');
    const [, name, version] = /^((?:@[^/@]+\/)?[^/@]+)@(\d[^(]*)$/.exec(key) ?? [];
    if (name === undefined || version === undefined || skipped.has(key) || key.length > maxPnpmName) continue;
    const base = `${name.replace('/', '+')}@${version}`;
    folders.push([name, `node_modules/.pnpm/${made.get(base) ?? base}/node_modules/${name}`]);
  }
  return folders;
}

/** pnpm writes its note as JSON, older versions as YAML, which says nothing here. */
function parsedJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : [];
}

function setsOf(entries: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  return new Map(entries.map(([name, versions]) => [name, new Set(versionsOf(versions))]));
}

/** `"zod@npm:4.6.7":` and `"react-dom@virtual:…#npm:18.2.0":` in .yarn-state.yml of Yarn 2 and later. */
const berryState: StateReader = async ({ machine, root }) => {
  const path = machine.files.paths.join(root, 'node_modules', '.yarn-state.yml');
  const writtenMs = await changedMs(machine, path);
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
  const writtenMs = await changedMs(machine, path);
  const entries = (await readJsonObject(machine, path))?.lockfileEntries;
  if (writtenMs === undefined || !isObject(entries)) return undefined;
  const found = Object.entries(entries).flatMap(([pattern, resolved]): [string, string, string][] => {
    const name = /^((?:@[^/]+\/)?[^@]+)@/.exec(pattern)?.[1];
    const version = versionInTarball(String(resolved));
    return name && version && !/@npm:/.test(pattern) ? [['', name, version]] : [];
  });
  return { packages: collect(found), writtenMs, wanted: await wantedOfClassic(place), note: path };
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
  const required = new Map<string, Set<string>>();
  const fits = await platformTest(machine);
  let names: string[] = [];
  let kind = '';
  for (const line of (await readStateFile(machine, path).catch(() => '')).split('\n')) {
    if (/^\S/.test(line))
      names = [...line.matchAll(/(?:^|, )"?((?:@[^/\s"]+\/)?[^@\s",]+)@/g)].map(([, name = '']) => name);
    else if (/^ {2}\S/.test(line)) kind = line.trim();
    else if (kind === 'dependencies:' || kind === 'optionalDependencies:') {
      const dependency = /^ {4}"?((?:@[^/\s"]+\/)?[^\s"]+)"?\s/.exec(line)?.[1];
      if (dependency === undefined) continue;
      // Of an optional package nothing but its name tells whether it is for this platform.
      const platform = platformOfName(dependency);
      if (kind === 'optionalDependencies:' && !(namesPlatform(platform) && fits(platform))) continue;
      for (const name of names) required.set(name, (required.get(name) ?? new Set()).add(dependency));
    }
  }
  const manifest = await readJsonObject(machine, machine.files.paths.join(root, 'package.json'));
  const namesOf = (section: unknown) => (isObject(section) ? Object.keys(section) : []);
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
    pending.push(...(required.get(name) ?? []));
  }
  return reached;
}

/** Plug'n'Play: `.pnp.cjs` holds every package with its version, a line each; it is read as text, never run. */
async function pnpDrift(place: LockPlace): Promise<Drift | undefined> {
  const { machine, root } = place;
  for (const name of ['.pnp.cjs', '.pnp.data.json', '.pnp.js']) {
    const path = machine.files.paths.join(root, name);
    if (!(await machine.files.isFile(path))) continue;
    const text = await readStateFile(machine, path).catch(() => '');
    const drift = new Map<string, string>();
    let current = '';
    const found: [string, string, string][] = [];
    for (const [, packageName, version] of text.matchAll(
      /\["((?:@[^"/]+\/)?[^"@:#]+)",\s*\[\\?\s*(?=\[)|\["(?:virtual:[^"#]*#)?npm:([^"]+)",\s*\{/g,
    )) {
      if (packageName) current = packageName;
      else if (version && current) found.push(['', current, version]);
    }
    for (const [packageName, versions] of collect(found)) addUnlocked(drift, place, packageName, versions);
    return drift;
  }
  return undefined;
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
