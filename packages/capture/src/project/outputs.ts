// Outputs that the configuration of a project names and that are not built. Folders that tools use without being asked
// (`target`, `build`) are not among them: whoever needs those builds first.

import { posix } from 'node:path';
import { field, isObject, parseJsoncObject, textField } from '../dependencies/text/json.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { findTracked } from './git/tracked-files.ts';

export type OutputState = 'not built' | 'older than its sources';

/** Outputs, sources, and files of one output folder that are looked at. */
const maxOutputs = 20;
const maxSources = 2000;
const maxOutputFiles = 500;
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|rs|java|kt)$/;

/** A file's text by its path below the folder; undefined where there is none. */
type Read = (file: string) => Promise<string | undefined>;

/** Configuration that names outputs, relative to its folder. Each reader may throw for a damaged file. */
const readers: readonly (readonly [
  file: string,
  outputsOf: (text: string, read: Read) => unknown[] | Promise<unknown[]>,
])[] = [
  ['package.json', packageOutputs],
  ['tsconfig.json', typescriptOutputs],
  ['.cargo/config.toml', (text) => [/^target-dir *= *["']([^"'\n]+)/m.exec(text)?.[1]]],
  ['pom.xml', mavenOutputs],
];

/**
 * Named outputs that git does not track, and that are not there or older than every source; paths relative to the folder,
 * with `/`. None outside of a repository.
 */
export async function readOutputs(
  machine: CapturedMachine,
  folder: string,
): Promise<Readonly<Record<string, OutputState>>> {
  const { files } = machine;
  const at = (path: string) => files.paths.join(folder, ...path.split('/'));
  const named = await namedOutputs(async (file) => files.text(at(file)));
  if (named.length === 0) return {};
  const isNamed = (path: string) => named.some((name) => path === name || path.startsWith(`${name}/`));
  const tracked = await findTracked(machine, folder, (path) => source.test(path) || isNamed(path));
  // Without git nothing tells an output from a source that is missing.
  if (tracked.files.size === 0) return {};
  const sources = [...tracked.files]
    .filter((path) => !/(?:^|\/)(?:node_modules|tests?)\//.test(path))
    .slice(0, maxSources);
  let oldestSource: Promise<number> | undefined;
  const builtMs = async (path: string): Promise<number | undefined> => {
    const status = await files.status(at(path));
    if (status?.kind !== 'directory') return status?.modifiedMs;
    const inside = (await files.entries(at(path)))
      .filter(({ kind }) => kind === 'file')
      .slice(0, maxOutputFiles);
    // Of a folder with folders alone nothing is said.
    return inside.length === 0
      ? Number.POSITIVE_INFINITY
      : newest(await modified(inside.map(({ name }) => `${path}/${name}`)));
  };
  const modified = (paths: readonly string[]) =>
    Promise.all(paths.map(async (path) => (await files.status(at(path)))?.modifiedMs));
  const found: [string, OutputState][] = [];
  for (const path of named) {
    if (tracked.files.has(path) || tracked.folders.has(path)) continue;
    const ms = await builtMs(path);
    oldestSource ??= modified(sources).then(oldest);
    if (ms === undefined) found.push([path, 'not built']);
    else if (ms < (await oldestSource)) found.push([path, 'older than its sources']);
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const known = (times: readonly (number | undefined)[]) => times.filter((time) => time !== undefined);
const newest = (times: readonly (number | undefined)[]): number => Math.max(...known(times));
/** Of no source at all nothing is older. */
const oldest = (times: readonly (number | undefined)[]): number =>
  known(times).length === 0 ? Number.NEGATIVE_INFINITY : Math.min(...known(times));

async function namedOutputs(read: Read): Promise<string[]> {
  const named = new Set<string>();
  for (const [file, outputsOf] of readers) {
    const text = await read(file);
    if (text === undefined) continue;
    const values = await Promise.resolve(text)
      .then((known) => outputsOf(known, read))
      .catch(() => []);
    for (const value of values) {
      const path = typeof value === 'string' ? value.replace(/^\.\//, '').replace(/\/$/, '') : '';
      const isInside = path !== '' && path !== '.' && !/\.\.|[*$\\:]|^\//.test(path);
      // A folder is built where a file in it is.
      if (isInside && ![...named].some((each) => each.startsWith(`${path}/`))) named.add(path);
    }
  }
  return [...named].slice(0, maxOutputs);
}

/** Files that `main`, `module`, `types`, `bin` and `exports` name. */
function packageOutputs(text: string): unknown[] {
  const manifest: unknown = JSON.parse(text);
  const found: string[] = [];
  const add = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (/\.\w+$/.test(value)) found.push(value);
    } else if (isObject(value) && depth < 5) for (const each of Object.values(value)) add(each, depth + 1);
  };
  for (const name of ['main', 'module', 'types', 'typings', 'bin', 'exports']) add(field(manifest, name), 0);
  return found;
}

async function typescriptOutputs(text: string, read: Read): Promise<unknown[]> {
  const { outDir, noEmit } = await compilerOptions('tsconfig.json', text, read, new Set());
  return noEmit === true ? [] : [outDir];
}

interface CompilerOptions {
  /** Relative to the folder. */
  readonly outDir?: string;
  readonly noEmit?: boolean;
}

/** Files that `extends` leads to. */
const maxExtended = 20;

/** What a file says, over what the files say that it extends; a later one of these wins. */
async function compilerOptions(
  file: string,
  text: string,
  read: Read,
  seen: Set<string>,
): Promise<CompilerOptions> {
  seen.add(file);
  const config = parseJsoncObject(text);
  const folder = posix.dirname(file);
  let found: CompilerOptions = {};
  for (const name of [field(config, 'extends')].flat()) {
    for (const path of typeof name === 'string' ? extendedPaths(folder, name) : []) {
      if (seen.has(path) || seen.size > maxExtended) continue;
      const extended = await read(path);
      if (extended === undefined) continue;
      found = { ...found, ...(await compilerOptions(path, extended, read, seen)) };
      break;
    }
  }
  const options = field(config, 'compilerOptions');
  const noEmit = field(options, 'noEmit');
  const outDir = textField(options, 'outDir');
  return {
    ...found,
    ...(typeof noEmit === 'boolean' && { noEmit }),
    // `${configDir}` is the folder of the file that is read first.
    ...(outDir !== undefined && {
      outDir: /^\$\{configDir\}/.test(outDir) ? `.${outDir.slice(12)}` : posix.join(folder, outDir),
    }),
  };
}

/** Where TypeScript looks for what a file in a folder extends: a path, else a package. Nothing above the project. */
function extendedPaths(folder: string, name: string): string[] {
  const isPath = /^\.\.?\//.test(name);
  const base = isPath ? posix.join(folder, name) : posix.join('node_modules', name);
  return [base, `${base}.json`, ...(isPath ? [] : [`${base}/tsconfig.json`])].filter(
    (path) => !path.startsWith('..'),
  );
}

/** `<directory>` of `<build>`. */
function mavenOutputs(text: string): unknown[] {
  const build = text.split('<build>', 2)[1]?.split('</build>', 1)[0] ?? '';
  return [build.split('<directory>', 2)[1]?.split('</directory>', 1)[0]?.trim()];
}
