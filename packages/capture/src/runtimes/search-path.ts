// The folders in which programs are searched. Each is read once, so that missing programs are never started.

import type { UntrustedTree } from '../system/guarded-reads.ts';
import type { CapturedMachine } from '../system/machine.ts';

export interface SearchPath {
  /** Name of the variable as the environment spells it (`Path` on Windows). */
  readonly name: string;
  readonly value: string;
  /** Absolute folders from which programs may be started, in order, each once. */
  readonly folders: readonly string[];
  /** The same, including folders that are relative to the captured folder or in it. */
  readonly allFolders: readonly string[];
  /** True for a folder from which nothing is started. */
  isForbidden(folder: string): boolean;
}

/**
 * `PATH` as the user has it. Folders that npm, pnpm and Yarn put in front while they run a script are removed, so that a capture
 * started through them sees the user's `PATH`. Relative folders and those of the captured folder are searched, because their
 * programs would run, but nothing in them is ever started.
 */
export async function readSearchPath(
  machine: CapturedMachine,
  folder: string,
  tree: UntrustedTree,
): Promise<SearchPath> {
  const onWindows = machine.platform === 'win32';
  const name =
    Object.keys(machine.env).find((key) => (onWindows ? key.toUpperCase() : key) === 'PATH') ?? 'PATH';
  const delimiter = onWindows ? ';' : ':';
  const byRunner = runnerFolderCheck(machine);
  const text = machine.env[name] ?? '';
  const entries = text === '' ? [] : text.split(delimiter).filter((entry) => !byRunner(entry));
  const forbidden = new Set<string>();
  const allFolders = new Set<string>();
  for (const entry of entries) {
    const written = onWindows ? entry.replace(/^"(.*)"$/, '$1') : entry;
    // On POSIX an empty entry is the current folder.
    if (onWindows && written === '') continue;
    const isRelative = !machine.files.paths.isAbsolute(written);
    const absolute = (
      isRelative ? machine.files.paths.join(folder, written) : machine.files.paths.normalize(written)
    ).replace(/(?<=.)[\\/]$/, '');
    const real = await machine.files.realPath(absolute);
    const isOurs = tree.holds(absolute) || (real !== undefined && tree.holds(real));
    if (isRelative || isOurs) forbidden.add(absolute);
    allFolders.add(absolute);
  }
  return {
    name,
    value: entries.join(delimiter),
    folders: [...allFolders].filter((each) => !forbidden.has(each)),
    allFolders: [...allFolders],
    isForbidden: (each) => forbidden.has(each),
  };
}

/** Whether npm, pnpm, Yarn or npx runs this program as a script. */
export function startedByPackageRunner(env: CapturedMachine['env']): boolean {
  return (
    (env.npm_lifecycle_event ?? env.npm_execpath ?? env.npm_command ?? env.BERRY_BIN_FOLDER) !== undefined
  );
}

function runnerFolderCheck({ env }: CapturedMachine): (folder: string) => boolean {
  if (!startedByPackageRunner(env)) return () => false;
  const berryFolder = env.BERRY_BIN_FOLDER;
  return (folder) =>
    folder === berryFolder || /[\\/](?:node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/.test(folder);
}

/** Every place of each wanted program name, in the order of the search path. Some files may turn out not to be runnable. */
export async function findExecutables(
  machine: CapturedMachine,
  folders: readonly string[],
  wanted: ReadonlySet<string>,
): Promise<Map<string, string[]>> {
  const listings = await Promise.all(folders.map((folder) => machine.files.entries(folder)));
  const nameOf = machine.platform === 'win32' ? windowsProgramName(machine) : (fileName: string) => fileName;
  const found = new Map<string, string[]>();
  for (const [index, folder] of folders.entries()) {
    for (const entry of listings[index] ?? []) {
      const name = nameOf(entry.name);
      if (name === undefined || !wanted.has(name) || entry.kind === 'directory' || entry.kind === 'other')
        continue;
      const path = machine.files.paths.join(folder, entry.name);
      const places = found.get(name);
      if (places) places.push(path);
      else found.set(name, [path]);
    }
  }
  return found;
}

function windowsProgramName(machine: CapturedMachine): (fileName: string) => string | undefined {
  const variable = Object.entries(machine.env).find(([name]) => name.toUpperCase() === 'PATHEXT')?.[1];
  const extensions = new Set((variable ?? '.COM;.EXE;.BAT;.CMD').toLowerCase().split(';'));
  return (fileName) => {
    const lower = fileName.toLowerCase();
    const dot = lower.lastIndexOf('.');
    return dot > 0 && extensions.has(lower.slice(dot)) ? lower.slice(0, dot) : undefined;
  };
}
