// What stands around a project and changes what its tools do: outputs that its own manifest names and that are not built, and
// files in folders above the root that tools pick up.

import { isObject } from '../dependencies/text/json.ts';
import { isSharedPlace } from '../system/captured-territory.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { findTracked } from './git/tracked-files.ts';

/** Paths relative to the captured folder, with `/`. */
export interface Surroundings {
  /** Files that the manifest names as outputs, git does not track, and that are not there or older than every source. */
  readonly outputs: Readonly<Record<string, 'not built' | 'older than its sources'>>;
  /** What stands above the root: the name, and what of it matters. */
  readonly above: Readonly<Record<string, string>>;
}

/** Outputs and sources that are looked at. */
const maxOutputs = 20;
const maxSources = 2000;
const source = /\.(?:[cm]?[jt]sx?|vue|svelte)$/;

/** Reads both. `root` is the root of the project, absolute. Never rejects: what cannot be read says nothing. */
export async function readSurroundings(
  machine: CapturedMachine,
  folder: string,
  root: string,
): Promise<Surroundings> {
  const [outputs, above] = await Promise.all([
    readOutputs(machine, folder).catch(() => ({})),
    readAbove(machine, root),
  ]);
  return { outputs, above };
}

async function readOutputs(machine: CapturedMachine, folder: string): Promise<Surroundings['outputs']> {
  const { files } = machine;
  const { join } = files.paths;
  const manifest = await files.json(join(folder, 'package.json'));
  const named = [...new Set(outputsOf(manifest))].slice(0, maxOutputs);
  if (named.length === 0) return {};
  const tracked = await findTracked(machine, folder, (path) => source.test(path) || named.includes(path));
  // Without git nothing tells an output from a source that is missing.
  if (tracked.files.size === 0) return {};
  const missing = named.filter((path) => !tracked.files.has(path));
  const sources = [...tracked.files].filter((path) => !/(?:^|\/)(?:node_modules|test|tests)\//.test(path));
  let oldestMs = Number.POSITIVE_INFINITY;
  const found: [string, 'not built' | 'older than its sources'][] = [];
  for (const path of missing) {
    const status = await files.status(join(folder, ...path.split('/')));
    if (status === undefined) found.push([path, 'not built']);
    else if (status.kind === 'file') {
      if (oldestMs === Number.POSITIVE_INFINITY)
        for (const each of sources.slice(0, maxSources))
          oldestMs = Math.min(
            oldestMs,
            (await files.status(join(folder, ...each.split('/'))))?.modifiedMs ?? oldestMs,
          );
      if (oldestMs !== Number.POSITIVE_INFINITY && status.modifiedMs < oldestMs)
        found.push([path, 'older than its sources']);
    }
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Files that `main`, `module`, `types`, `bin` and `exports` name. */
function outputsOf(manifest: Record<string, unknown> | undefined): string[] {
  const found: string[] = [];
  const add = (value: unknown, depth: number): void => {
    if (typeof value === 'string') {
      const path = value.replace(/^\.\//, '');
      if (!path.includes('*') && !path.includes('..') && !path.startsWith('/') && /\.\w+$/.test(path))
        found.push(path);
    } else if (isObject(value) && depth < 5) for (const each of Object.values(value)) add(each, depth + 1);
  };
  for (const name of ['main', 'module', 'types', 'typings', 'bin', 'exports']) add(manifest?.[name], 0);
  return found;
}

/** Only what a tool would really take from there: a nearer file of the kind hides it. */
async function readAbove(machine: CapturedMachine, root: string): Promise<Surroundings['above']> {
  const { files } = machine;
  const { join } = files.paths;
  const isShared = await isSharedPlace(machine);
  const has = (folder: string, name: string) => files.isFile(join(folder, name));
  const [hasManifest, hasTypes, hasModule, hasWork, hasSettings] = await Promise.all(
    ['package.json', 'tsconfig.json', 'go.mod', 'go.work', '.npmrc'].map((name) => has(root, name)),
  );
  const found = new Map<string, string>();
  const note = (name: string, value: string): void => {
    if (!found.has(name)) found.set(name, value);
  };
  for (const above of files.upward(root).slice(1)) {
    if (hasManifest && (await files.isFolder(join(above, 'node_modules')))) note('node_modules', 'present');
    if (hasModule && !hasWork && (await has(above, 'go.work'))) note('go.work', 'present');
    // The home folder's own settings are the user's, and are compared as such.
    if (isShared(above)) continue;
    if (hasManifest && !hasSettings && (await has(above, '.npmrc'))) note('.npmrc', 'present');
    if (!hasManifest && (await has(above, 'package.json'))) {
      const { type } = (await files.json(join(above, 'package.json'))) ?? {};
      note('package.json', type === 'module' ? 'type module' : 'type commonjs');
    }
    if (hasManifest && !hasTypes && (await has(above, 'tsconfig.json'))) note('tsconfig.json', 'present');
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}
