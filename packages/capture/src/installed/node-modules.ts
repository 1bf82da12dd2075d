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

/** What a package manager noted of its last installation. */
interface InstallState {
  readonly packages: ReadonlyMap<string, ReadonlySet<string>>;
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
    if (changed === undefined || (state && changed <= state.writtenMs)) continue;
    const version = await manifestVersion(place, manifest);
    if (version !== undefined) addUnlocked(drift, place, name, [version]);
  }
  for (const name of await missingDirect(place, top)) if (!drift.has(name)) drift.set(name, '');
  return drift;
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
  try {
    if (await areAlike(machine, path, place.path)) return { packages: new Map(), writtenMs };
    const text = await readStateFile(machine, path);
    const context = { path, warn: () => undefined, readText: async () => undefined };
    const { parsePnpmLock } = await import('../dependencies/parsers/javascript/pnpm.ts');
    const packages = (await parsePnpmLock(text, context)).toRecord((versions) => versions);
    return { packages: setsOf(Object.entries(packages)), writtenMs };
  } catch {
    return undefined;
  }
};

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
  return { packages: collect(found), writtenMs };
};

/** `lockfileEntries` of .yarn-integrity: `"zod@^4.0.0": "https://…/zod-4.6.7.tgz#…"`, of Yarn 1. */
const classicState: StateReader = async ({ machine, root }) => {
  const path = machine.files.paths.join(root, 'node_modules', '.yarn-integrity');
  const writtenMs = await changedMs(machine, path);
  const entries = (await readJsonObject(machine, path))?.lockfileEntries;
  if (writtenMs === undefined || !isObject(entries)) return undefined;
  const found = Object.entries(entries).flatMap(([pattern, resolved]): [string, string, string][] => {
    const name = /^((?:@[^/]+\/)?[^@]+)@/.exec(pattern)?.[1];
    const version = versionInTarball(String(resolved));
    return name && version && !/@npm:/.test(pattern) ? [['', name, version]] : [];
  });
  return { packages: collect(found), writtenMs };
};

/** `4.6.7` of `https://…/zod-4.6.7.tgz#…`. */
function versionInTarball(address: string): string | undefined {
  const plain = address.replace(/[?#].*$/s, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  const at = name.search(/-\d/);
  return at < 0 || !name.endsWith('.tgz') ? undefined : name.slice(at + 1, -'.tgz'.length);
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
