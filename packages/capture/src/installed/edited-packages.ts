// Packages that somebody edited in `node_modules`, as far as times of files show it: a program that was written after everything
// else of its package, and after the package manager's own note. What was written back with its old time is not seen. And packages
// whose program is gone, of those that the project itself asks for.

import { isPlainObject } from '@envsnap/shared/plain-object';
import type { CapturedMachine } from '../system/machine.ts';
import { type LockPlace, manifestVersion, readJsonObject } from './drift.ts';

/** Direct dependencies that are looked into, and files in all. */
const maxPackages = 300;
const maxFiles = 5000;
/** Programs of one package that are looked for: conditions within conditions may name thousands. */
const maxPrograms = 50;
const usualFolders = new Set(['lib', 'dist', 'build', 'src', 'cjs', 'esm']);
const source = /\.(?:[cm]?js|json)$/;

/**
 * Package to what it is: `1.2.0, edited`, without a program, or without the project's own patch. `note` is written last by an
 * installation.
 */
export async function editedPackages(place: LockPlace, note: string): Promise<ReadonlyMap<string, string>> {
  const { machine, root } = place;
  const { join } = machine.files.paths;
  const found = new Map<string, string>();
  const installedMs = (await machine.files.status(note))?.modifiedMs;
  if (installedMs === undefined) return found;
  const patched = await patchedPackages(place);
  let left = maxFiles;
  // A package of the workspace is in no lock file, and edited all day.
  const names = (await directNames(place)).filter((name) => Object.hasOwn(place.locked, name));
  for (const name of names.slice(0, maxPackages)) {
    const folder = join(root, 'node_modules', ...name.split('/'));
    const manifest = join(folder, 'package.json');
    const manifestMs = (await machine.files.status(manifest))?.modifiedMs;
    if (manifestMs === undefined) continue;
    const gone = await goneProgram(machine, folder, installedMs);
    if (gone !== undefined)
      found.set(name, `${(await manifestVersion(place, manifest)) ?? 'installed'} without ${gone}`);
    // Copied without its times, or changed as a whole: no file stands out.
    if (gone !== undefined || manifestMs > installedMs) continue;
    const files = await sourceFiles(place, folder, patched.get(name));
    left -= files.length;
    if (left < 0) break;
    let isEdited = false;
    for (const file of files) {
      const modifiedMs = (await machine.files.status(file))?.modifiedMs ?? 0;
      if (modifiedMs > Math.max(installedMs, manifestMs)) isEdited = true;
    }
    // A patch is applied after the installation; a file that is as old as the others was never patched.
    if (isEdited === patched.has(name) || files.length === 0) continue;
    const version = (await manifestVersion(place, manifest)) ?? 'installed';
    found.set(name, isEdited ? `${version}, edited` : `${version} without its patch`);
  }
  return found;
}

const endings = ['', '.js', '.json', '.node', '/index.js'];

/**
 * The file that `import` or `require` of a package takes, where it is gone since the installation, or its whole folder is: what a
 * package never had is its author's fault.
 */
async function goneProgram(
  { files }: CapturedMachine,
  folder: string,
  installedMs: number,
): Promise<string | undefined> {
  const { dirname, join } = files.paths;
  const { main, exports } = (await files.json(join(folder, 'package.json'))) ?? {};
  const named =
    exports === undefined
      ? [main]
      : programsOf(isPlainObject(exports) && '.' in exports ? exports['.'] : exports);
  for (const program of [...new Set(named)].slice(0, maxPrograms)) {
    if (typeof program !== 'string' || /\.\.|[*\\]|^\/|^$/.test(program)) continue;
    const file = join(folder, program);
    const tried =
      exports === undefined ? [...endings.map((ending) => file + ending), join(folder, 'index.js')] : [file];
    let isThere = false;
    for (const each of tried) isThere ||= await files.isFile(each);
    if (isThere) continue;
    const above = await files.status(dirname(file));
    if (above === undefined || above.modifiedMs > installedMs) return program.replace(/^\.\//, '');
  }
  return undefined;
}

/** Under the conditions that Node.js knows. */
function programsOf(target: unknown, depth = 0): unknown[] {
  if (!isPlainObject(target)) return [target];
  return ['import', 'require', 'node', 'default'].flatMap((name) =>
    target[name] === undefined || depth > 5 ? [] : programsOf(target[name], depth + 1),
  );
}

/** The files that a patch changes; without one, those at the top of the package, in its usual folders and beside its main program. */
async function sourceFiles(
  { machine }: LockPlace,
  folder: string,
  patched: readonly string[] | undefined,
): Promise<string[]> {
  const { dirname, join } = machine.files.paths;
  if (patched !== undefined) return patched.map((path) => join(folder, ...path.split('/')));
  const main = (await machine.files.json(join(folder, 'package.json')))?.main;
  const isInside = typeof main === 'string' && !main.includes('..') && !main.startsWith('/');
  const usual = (await machine.files.entries(folder))
    .filter(({ name, kind }) => kind !== 'file' && usualFolders.has(name))
    .map(({ name }) => join(folder, name));
  const folders = new Set([folder, ...usual, ...(isInside ? [dirname(join(folder, main))] : [])]);
  const files: string[] = [];
  for (const each of folders)
    for (const { name, kind } of await machine.files.entries(each))
      if (kind === 'file' && source.test(name)) files.push(join(each, name));
  return files;
}

async function directNames({ machine, root }: LockPlace): Promise<string[]> {
  const manifest = await readJsonObject(machine, machine.files.paths.join(root, 'package.json'));
  return ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    isPlainObject(manifest?.[kind]) ? Object.keys(manifest[kind]).filter((name) => !name.includes('..')) : [],
  );
}

/** Of `patches/NAME+VERSION.patch`, as patch-package writes them: the files that each changes, below the package. */
async function patchedPackages({ machine, root }: LockPlace): Promise<ReadonlyMap<string, string[]>> {
  const { join } = machine.files.paths;
  const patched = new Map<string, string[]>();
  for (const file of await machine.files.names(join(root, 'patches'))) {
    const name = /^((?:@[^+]+\+)?[^+]+)\+\d[^+]*(?:\+[^+]+)*\.patch$/.exec(file)?.[1]?.replace('+', '/');
    if (name === undefined || name.includes('++')) continue;
    const prefix = `node_modules/${name}/`;
    const text = (await machine.files.text(join(root, 'patches', file))) ?? '';
    const paths = text
      .split('\n')
      .flatMap((line) =>
        line.startsWith(`+++ b/${prefix}`) ? [line.slice(`+++ b/${prefix}`.length).trim()] : [],
      )
      .filter((path) => !path.includes('..'));
    if (paths.length > 0) patched.set(name, paths);
  }
  return patched;
}
