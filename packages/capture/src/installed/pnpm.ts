// pnpm: its own lock file says what it installed, and `.pnpm` holds a folder for each package.

import { isObject } from '../dependencies/text/json.ts';
import { areAlike, changedMs, type LockPlace, readStateFile, versionsOf } from './drift.ts';
import { modulesDrift, type StateReader } from './node-modules.ts';

export const pnpmDrift = (place: LockPlace) => modulesDrift(place, pnpmState);

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

/**
 * `.pnpm/ms@2.1.3/node_modules/ms` for each package of the installed lock file but those that were skipped for their platform, and
 * `packages/web/node_modules/ms` for what the packages of the workspace ask for.
 */
async function pnpmFolders(
  { machine, root }: LockPlace,
  installedLock: string,
): Promise<[name: string, folder: string][]> {
  const { join } = machine.files.paths;
  const note = await readStateFile(machine, join(root, 'node_modules', '.modules.yaml')).catch(() => '');
  const { skipped: left, included } = parsedJson(note);
  const skipped = new Set(textsIn(left));
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
  const end = Math.max(0, text.search(/^packages:/m));
  const packages = text.slice(end);
  const folders = workspaceFolders(text.slice(0, end), isObject(included) ? included : {});
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

/** `importers:` names each package of the workspace, what kind of packages it asks for, and which. */
function workspaceFolders(text: string, included: Readonly<Record<string, unknown>>): [string, string][] {
  const folders: [string, string][] = [];
  let [importer, kind] = ['.', ''];
  for (const line of text.slice(Math.max(0, text.search(/^importers:/m))).split('\n')) {
    const [, indent = '', key = ''] = /^( {2}| {4}| {6})'?([^\s'][^':]*)'?:/.exec(line) ?? [];
    if (indent.length === 2) importer = key;
    else if (indent.length === 4) kind = key;
    else if (indent.length === 6 && importer !== '.' && /^d/.test(kind) && included[kind] !== false)
      folders.push([key, `${importer}/node_modules/${key}`]);
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
