// Finds outputs that a project's configuration names and that are not built. Ignores the default folders of tools (`target`,
// `build`), which are built before they are needed.

import { posix } from 'node:path';
import { field, isPlainObject, textField, textItemsOf } from '@envsnap/shared/plain-object';
import { parseJsoncObject } from '../dependencies/text/json.ts';
import { sortedRecord } from '../sorted-record.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { findTracked } from './git/tracked-files.ts';
import { workspaceFolders } from './workspace-folders.ts';

type OutputState = 'not built' | 'older than its sources';

/** Limits: outputs after which no further package is searched, outputs of one file, characters of an output. */
const [maxOutputs, maxNamed, maxLength] = [50, 500, 200];
/** Limits: sources, files of one output folder, packages of a workspace. */
const [maxSources, maxOutputFiles, maxMembers] = [2000, 500, 100];
const source = /\.(?:[cm]?[jt]sx?|vue|svelte|rs|java|kt)$/;

/** A file's text by its path below the captured folder; undefined if there is none. */
type Read = (file: string) => Promise<string | undefined>;

/** Configuration that names outputs, relative to its folder. A reader may throw if the file is damaged. */
const readers: readonly (readonly [
  file: string,
  outputsOf: (text: string, read: Read, file: string) => unknown[] | Promise<unknown[]>,
])[] = [
  ['package.json', packageOutputs],
  ['tsconfig.json', typescriptOutputs],
  ['.cargo/config.toml', (text) => [/^target-dir *= *["']([^"'\n]+)/m.exec(text)?.[1]]],
  ['pom.xml', mavenOutputs],
];

/**
 * Named outputs that git does not track, and that are missing or older than every source, also those of packages of a JavaScript
 * workspace. Paths are relative to the folder, with `/`. None outside a repository.
 */
export async function readOutputs(
  machine: CapturedMachine,
  folder: string,
): Promise<Readonly<Record<string, OutputState>>> {
  const { files } = machine;
  const at = (path: string) => files.paths.join(folder, ...path.split('/'));
  const memberOf = new Map<string, string>();
  const members = await workspaceFolders(
    machine,
    folder,
    async () => (await findTracked(machine, folder, (path) => path.endsWith('/package.json'))).files,
  );
  for (const member of ['', ...members.slice(0, maxMembers).map((path) => `${path}/`)])
    for (const path of memberOf.size < maxOutputs ? await namedOutputs(machine, at, member) : [])
      memberOf.set(path, member);
  if (memberOf.size === 0) return {};
  const named = [...memberOf.keys()];
  const isNamed = (path: string) => named.some((name) => path === name || path.startsWith(`${name}/`));
  const isOfUse = (path: string) => source.test(path) || /(?:^|\/)package\.json$/.test(path) || isNamed(path);
  const tracked = await findTracked(machine, folder, isOfUse);
  // Without git, an output that is missing looks like a missing source.
  if (tracked.files.size === 0) return {};
  const modifiedMs = async (path: string) => (await files.status(at(path)))?.modifiedMs;
  /** The time of the newest file, or of any file that is at least as new as `enoughMs`. */
  const builtMs = async (path: string, enoughMs: number): Promise<number | undefined> => {
    const status = await files.status(at(path));
    if (status?.kind !== 'directory') return status?.modifiedMs;
    const inside = (await files.entries(at(path))).filter(({ kind }) => kind === 'file');
    // A folder that contains only folders does not count.
    if (inside.length === 0) return Number.POSITIVE_INFINITY;
    let newest = Number.NEGATIVE_INFINITY;
    for (const { name } of inside.slice(0, maxOutputFiles)) {
      newest = Math.max(newest, (await modifiedMs(`${path}/${name}`)) ?? newest);
      if (newest >= enoughMs) break;
    }
    return newest;
  };
  const sources = [...tracked.files].filter(
    (path) => source.test(path) && !/(?:^|\/)(?:node_modules|tests?)\//.test(path),
  );
  /** Without any source, nothing can be older than it. */
  const isOlderThanAll = async (ms: number, member: string): Promise<boolean> => {
    let newer = 0;
    for (const path of sources.filter((each) => each.startsWith(member)).slice(0, maxSources)) {
      const sourceMs = await modifiedMs(path);
      if (sourceMs === undefined) continue;
      if (sourceMs <= ms) return false;
      newer += 1;
    }
    return newer > 0;
  };
  const found: [string, OutputState][] = [];
  for (const [path, member] of memberOf) {
    if (tracked.files.has(path) || tracked.folders.has(path)) continue;
    const first = sources.find((each) => each.startsWith(member));
    const firstMs = first === undefined ? undefined : await modifiedMs(first);
    const ms = await builtMs(path, firstMs ?? Number.POSITIVE_INFINITY);
    if (ms === undefined) found.push([path, 'not built']);
    else if (await isOlderThanAll(ms, member)) found.push([path, 'older than its sources']);
  }
  return sortedRecord(found);
}

async function namedOutputs(
  { files, fileCache }: CapturedMachine,
  at: (path: string) => string,
  member: string,
): Promise<string[]> {
  const named = new Set<string>();
  for (const [name, outputsOf] of readers) {
    const file = `${member}${name}`;
    const values = await fileCache.of('outputs', at(file), async (onlyNow) => {
      const text = await files.text(at(file));
      if (text === undefined) return undefined;
      const read: Read = (other) => {
        onlyNow();
        return files.text(at(other));
      };
      const outputs = await Promise.resolve(text)
        .then((known) => outputsOf(known, read, file))
        .catch(() => []);
      return textItemsOf(outputs)
        .filter(({ length }) => length <= maxLength)
        .slice(0, maxNamed);
    });
    for (const value of values ?? []) {
      const path = value.replace(/^\.\//, '').replace(/\/$/, '');
      const isInside = path !== '' && path !== '.' && !/\.\.|[*$\\:]|^\//.test(path);
      // A folder is built if a file in it is.
      if (isInside && ![...named].some((each) => each.startsWith(`${member}${path}/`)))
        named.add(`${member}${path}`);
    }
  }
  return [...named];
}

/** Files that `main`, `module`, `types`, `bin` and `exports` name. */
function packageOutputs(text: string): unknown[] {
  const manifest: unknown = JSON.parse(text);
  const found: string[] = [];
  const add = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      if (/\.\w+$/.test(value)) found.push(value);
    } else if (isPlainObject(value) && depth < 5)
      for (const each of Object.values(value)) add(each, depth + 1);
  };
  for (const name of ['main', 'module', 'types', 'typings', 'bin', 'exports']) add(field(manifest, name), 0);
  return found;
}

async function typescriptOutputs(text: string, read: Read, file: string): Promise<unknown[]> {
  const { outDir, noEmit } = await compilerOptions(file, text, read, new Set());
  return noEmit === true || outDir === undefined ? [] : [posix.relative(posix.dirname(file), outDir)];
}

interface CompilerOptions {
  /** Relative to the captured folder. */
  readonly outDir?: string;
  readonly noEmit?: boolean;
}

const maxExtended = 20;

/** The settings of a file, which override those of the files that it extends; a later one of these wins. */
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
  // `${configDir}` is the folder of the file that was read first.
  const base = /^\$\{configDir\}/.test(outDir ?? '') ? posix.dirname([...seen][0] ?? '') : folder;
  return {
    ...found,
    ...(typeof noEmit === 'boolean' && { noEmit }),
    ...(outDir !== undefined && { outDir: posix.join(base, outDir.replace(/^\$\{configDir\}/, '.')) }),
  };
}

/** Where TypeScript looks for the file that another one extends: a path, else a package. Never above the captured folder. */
function extendedPaths(folder: string, name: string): string[] {
  const near = posix.join(folder, name);
  if (/^\.\.?\//.test(name)) return near.startsWith('..') ? [] : [near, `${near}.json`];
  const above = folder === '.' ? [] : folder.split('/');
  return [...above, ''].flatMap((_, index) => {
    const base = posix.join(...above.slice(0, above.length - index), 'node_modules', name);
    return base.startsWith('..') ? [] : [base, `${base}.json`, `${base}/tsconfig.json`];
  });
}

/** `<directory>` of `<build>`. */
function mavenOutputs(text: string): unknown[] {
  const build = text.split('<build>', 2)[1]?.split('</build>', 1)[0] ?? '';
  return [build.split('<directory>', 2)[1]?.split('</directory>', 1)[0]?.trim()];
}
