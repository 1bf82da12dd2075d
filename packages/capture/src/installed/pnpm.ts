// pnpm: its own copy of the lock file records what it installed, and `.pnpm` holds a folder for each package.

import { field, textItemsOf } from '@envsnap/shared/plain-object';
import { createPackageList } from '../dependencies/package-list.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { parseObject } from '../system/machine-files.ts';
import { areAlike, type LockPlace, readStateFile } from './drift.ts';
import { modulesDrift, type StateReader } from './node-modules.ts';
import { platformTest } from './platform.ts';

export const pnpmDrift = (place: LockPlace) => modulesDrift(place, pnpmState);

/** `node_modules/.pnpm/lock.yaml` is the lock file as it was installed. */
const pnpmState: StateReader = async (place) => {
  const { machine, at } = place;
  const path = at('node_modules/.pnpm/lock.yaml');
  const note = at('node_modules/.modules.yaml');
  const writtenMs = (await machine.files.status(path))?.changedMs;
  if (writtenMs === undefined) return undefined;
  try {
    const there = { writtenMs, note, ...(await pnpmFolders(place, path, note)) };
    if (await areAlike(machine, path, place.path)) return { packages: new Map(), ...there };
    const { parsePnpmLock } = await import('../dependencies/parsers/pnpm.ts');
    const list = createPackageList();
    const context = { path, warn: () => undefined, include: async () => undefined };
    parsePnpmLock(await readStateFile(machine, path), list, context);
    return { packages: new Map([...list.names()].map((name) => [name, new Set(list.get(name))])), ...there };
  } catch {
    return undefined;
  }
};

/** The record of the last installation in `node_modules/.modules.yaml`. */
interface Note {
  /** Packages that were not installed, for their platform: `@esbuild/aix-ppc64@0.21.5`. */
  readonly skipped: ReadonlySet<string>;
  readonly leftOut: ReadonlySet<string>;
}

/** Names of pnpm's own folders are cut at this length; cut names end in a digest. */
const maxPnpmName = 100;

/**
 * `.pnpm/ms@2.1.3/node_modules/ms` for each package of the installed lock file, except those that were skipped for their
 * platform, and `packages/web/node_modules/ms` for the dependencies of workspace packages.
 */
async function pnpmFolders({ machine, files, at }: LockPlace, installedLock: string, note: string) {
  const { skipped, leftOut } = await readNote(machine, note);
  // One package has a folder for each set of its peers: `a@1.0.0_b@2.0.0`, `a@1.0.0(b@2.0.0)`.
  const all = await files.names(at('node_modules/.pnpm'));
  const made = new Map(
    all.map((each) => {
      const version = each.indexOf('@', 1);
      const peers = each.slice(version).search(/[_(]/);
      return [peers < 0 || version < 0 ? each : each.slice(0, version + peers), each];
    }),
  );
  // With a flat layout or a store elsewhere, this folder has no packages.
  if (!all.some((name) => /.@\d/.test(name))) return { folders: [] };
  const text = await readStateFile(machine, installedLock);
  const end = Math.max(0, text.search(/^packages:/m));
  const [packages = ''] = text.slice(end).split(/^(?=snapshots:)/m);
  const folders = workspaceFolders(text.slice(0, end), leftOut);
  const fits = await platformTest(machine);
  let isListed = false;
  for (const line of packages.split('\n')) {
    // `    cpu: [x64]`: the package in the line above is for certain platforms only.
    const [, kind, listed = ''] = /^ {4}(os|cpu|libc): \[(.*)\]/.exec(line) ?? [];
    if (kind !== undefined && isListed && !fits({ [kind]: listed.replaceAll("'", '').split(', ') })) {
      folders.pop();
      isListed = false;
    }
    // `  'a@1.0.0':`, or `  a@1.0.0: {}` on one line.
    if (!/^ {2}[^\s#]/.test(line)) continue;
    isListed = false;
    const key = line
      .slice(2)
      .replace(/:(?: \{\})?$/, '')
      .replace(/^'|'$/g, '')
      .replace(/^\//, '');
    const [, name, version] = /^((?:@[^/@]+\/)?[^/@]+)@(\d[^(]*)$/.exec(key) ?? [];
    if (name === undefined || version === undefined || skipped.has(key) || key.length > maxPnpmName) continue;
    const base = `${name.replace('/', '+')}@${version}`;
    folders.push([name, `node_modules/.pnpm/${made.get(base) ?? base}/node_modules/${name}`]);
    isListed = true;
  }
  return { folders };
}

/** `importers:` lists the workspace packages, each with its dependencies by kind. */
function workspaceFolders(text: string, leftOut: ReadonlySet<string>): [string, string][] {
  const folders: [string, string][] = [];
  let [importer, kind] = ['.', ''];
  for (const line of text.slice(Math.max(0, text.search(/^importers:/m))).split('\n')) {
    const [, indent = '', key = ''] = /^( {2}| {4}| {6})'?([^\s'][^':]*)'?:/.exec(line) ?? [];
    if (indent.length === 2) importer = key;
    else if (indent.length === 4) kind = key;
    else if (indent.length === 6 && importer !== '.' && /^d/.test(kind) && !leftOut.has(kind))
      folders.push([key, `${importer}/node_modules/${key}`]);
  }
  return folders;
}

/** pnpm 11 and later 10 write their record as JSON, earlier ones as YAML. */
async function readNote(machine: CapturedMachine, path: string): Promise<Note> {
  const text = await readStateFile(machine, path).catch(() => '');
  const note = parseObject(text) ?? (await yamlNote(text));
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return {
    skipped: new Set(textItemsOf(field(note, 'skipped')).map((id) => id.replace(/^\/|\(.*$/gs, ''))),
    leftOut: new Set(kinds.filter((kind) => String(field(field(note, 'included'), kind)) === 'false')),
  };
}

async function yamlNote(text: string): Promise<unknown> {
  const { parseYamlMap } = await import('../dependencies/text/yaml.ts');
  try {
    return parseYamlMap(text);
  } catch {
    return undefined;
  }
}
