// What stands around a project and changes what its tools do: outputs that are not built, and files in folders above the root
// that tools pick up.

import { isSharedPlace } from '../system/captured-territory.ts';
import type { CapturedMachine } from '../system/machine.ts';
import { type OutputState, readOutputs } from './outputs.ts';

/** Paths relative to the captured folder, with `/`. */
export interface Surroundings {
  readonly outputs: Readonly<Record<string, OutputState>>;
  /** What stands above the root: the name, and what of it matters. */
  readonly above: Readonly<Record<string, string>>;
}

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
