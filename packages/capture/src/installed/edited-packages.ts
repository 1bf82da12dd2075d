// Finds packages that somebody edited in `node_modules`, as far as file times show: a program that was written after the rest of
// its package and after the package manager's record. A file restored with its old time is not noticed. Also finds
// packages without their program, and those that changed after the installation.

import { isPlainObject } from '@envsnap/shared/plain-object';
import { askedPackages, type LockPlace, manifestVersion } from './drift.ts';

/** Maximum number of direct dependencies that are checked, and of files in total. */
const maxPackages = 300;
const maxFiles = 5000;
/** Maximum number of programs checked in one package: conditions within conditions may name thousands. */
const maxPrograms = 50;
const usualFolders = new Set(['lib', 'dist', 'build', 'src', 'cjs', 'esm']);
const source = /\.(?:[cm]?js|json)$/;

/**
 * Package → its state: `1.2.0, edited`, without a program, or without the project's patch. `note` is the file that an
 * installation writes last.
 */
export async function editedPackages(place: LockPlace, note: string): Promise<ReadonlyMap<string, string>> {
  const { files, at } = place;
  const found = new Map<string, string>();
  const installedMs = (await files.status(note))?.modifiedMs;
  if (installedMs === undefined) return found;
  const patched = await patchedPackages(place);
  let remaining = maxFiles;
  // A workspace package is in no lock file, and people edit it all the time.
  const names = (await directNames(place)).filter((name) => Object.hasOwn(place.locked, name));
  for (const name of names.slice(0, maxPackages)) {
    const folder = at('node_modules', name);
    const manifest = at('node_modules', name, 'package.json');
    const manifestMs = (await files.status(manifest))?.modifiedMs;
    if (manifestMs === undefined) continue;
    const is = async (state: string) =>
      found.set(name, `${(await manifestVersion(place, manifest)) ?? 'installed'}${state}`);
    const missingProgram = await goneProgram(place, folder, installedMs);
    if (missingProgram !== undefined) await is(` without ${missingProgram}`);
    // Copied without its times, or replaced completely: no single file was edited.
    if (missingProgram !== undefined || manifestMs > installedMs) continue;
    const sources = await sourceFiles(place, folder, patched.get(name));
    remaining -= sources.length;
    if (remaining < 0) break;
    let newestMs = 0;
    for (const file of sources) newestMs = Math.max(newestMs, (await files.status(file))?.modifiedMs ?? 0);
    const isEdited = newestMs > installedMs;
    // A patch is applied after the installation, so a file as old as the others was never patched.
    if (isEdited !== patched.has(name) && sources.length > 0)
      await is(isEdited ? ', edited' : ' without its patch');
  }
  return found;
}

/** Subfolders whose time shows that a file in them was deleted; more would cost every capture a look at each. */
const watched = ['', 'lib', 'dist'];
/** Maximum number of packages that are looked at, and how many at the same time. A change to any further one is not noticed. */
const maxWatched = 20_000;
const atOnce = 64;

/**
 * Package → its version, and the program that it lacks, of those among `folders` that changed after the installation. Empty if
 * most of them did: a copy without its times shows nothing.
 */
export async function changedPackages(
  place: LockPlace,
  folders: readonly (readonly [name: string, folder: string])[],
  note: string,
) {
  const { files, at, locked } = place;
  const installedMs = (await files.status(note))?.modifiedMs ?? Number.POSITIVE_INFINITY;
  const inside = folders
    .filter(([name, folder]) => Object.hasOwn(locked, name) && !folder.includes('..'))
    .slice(0, maxWatched);
  const isChanged = async (folder: string) => {
    const states = await Promise.all(watched.map((part) => files.status(at(folder, part))));
    return states.some((state) => (state?.modifiedMs ?? 0) > installedMs);
  };
  const changed: typeof inside = [];
  for (let from = 0; from < inside.length; from += atOnce) {
    const group = inside.slice(from, from + atOnce);
    const answers = await Promise.all(group.map(([, folder]) => isChanged(folder)));
    changed.push(...group.filter((_, place) => answers[place]));
  }
  const found: [name: string, version: string, gone: string | undefined][] = [];
  if (changed.length * 2 > inside.length) return found;
  for (const [name, folder] of changed) {
    const version = await manifestVersion(place, at(folder, 'package.json'));
    if (version !== undefined) found.push([name, version, await goneProgram(place, at(folder), installedMs)]);
  }
  return found;
}

const endings = ['', '.js', '.json', '.node', '/index.js'];

/**
 * The file that `import` or `require` of a package loads, if it or its whole folder was deleted after the installation. A file
 * that the package never had is its author's mistake.
 */
async function goneProgram({ files }: LockPlace, folder: string, installedMs: number) {
  const { dirname, join } = files.paths;
  const { main, exports, files: shipped } = (await files.json(join(folder, 'package.json'))) ?? {};
  // Without `main`, it is `index.js`, which not every package has.
  const usual = Array.isArray(shipped) && shipped.includes('index.js') ? 'index.js' : undefined;
  const named =
    exports === undefined
      ? [main ?? usual]
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

/** By the conditions that Node.js knows. */
function programsOf(target: unknown, depth = 0): unknown[] {
  if (!isPlainObject(target)) return [target];
  return ['import', 'require', 'node', 'default'].flatMap((name) =>
    target[name] === undefined || depth > 5 ? [] : programsOf(target[name], depth + 1),
  );
}

/** The files that a patch changes; else those at the package's top, in its usual folders and beside its main program. */
async function sourceFiles({ files }: LockPlace, folder: string, patched: readonly string[] | undefined) {
  const { dirname, join } = files.paths;
  if (patched !== undefined) return patched.map((path) => join(folder, path));
  const main = (await files.json(join(folder, 'package.json')))?.main;
  const isInside = typeof main === 'string' && !main.includes('..') && !main.startsWith('/');
  const usual = (await files.entries(folder))
    .filter(({ name, kind }) => kind !== 'file' && usualFolders.has(name))
    .map(({ name }) => join(folder, name));
  const sources: string[] = [];
  for (const each of new Set([folder, ...usual, ...(isInside ? [dirname(join(folder, main))] : [])]))
    for (const { name, kind } of await files.entries(each))
      if (kind === 'file' && source.test(name)) sources.push(join(each, name));
  return sources;
}

async function directNames(place: LockPlace): Promise<string[]> {
  const kinds = await askedPackages(place, 'dependencies', 'devDependencies', 'optionalDependencies');
  return kinds.flatMap((asked) => Object.keys(asked)).filter((name) => !name.includes('..'));
}

/** The files in the package that each `patches/NAME+VERSION.patch` of patch-package changes. */
async function patchedPackages({ files, at }: LockPlace): Promise<ReadonlyMap<string, string[]>> {
  const patched = new Map<string, string[]>();
  for (const file of await files.names(at('patches'))) {
    const name = /^((?:@[^+]+\+)?[^+]+)\+\d[^+]*(?:\+[^+]+)*\.patch$/.exec(file)?.[1]?.replace('+', '/');
    if (name === undefined || name.includes('++')) continue;
    const prefix = `+++ b/node_modules/${name}/`;
    const lines = ((await files.text(at('patches', file))) ?? '').split('\n');
    const paths = lines
      .filter((line) => line.startsWith(prefix) && !line.includes('..', prefix.length))
      .map((line) => line.slice(prefix.length).trim());
    if (paths.length > 0) patched.set(name, paths);
  }
  return patched;
}
