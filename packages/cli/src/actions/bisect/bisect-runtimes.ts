// The versions of runtimes that version managers have installed here.

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { managedRuntimes } from '@envsnap/shared/catalogue/version-managers';
import { homeFolder } from '../../../bin/cache-folder.js';

/** The folder of programs of an installed version; undefined when no manager has it here. */
export async function findInstalledRuntime(
  runtime: string,
  version: string,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  for (const manager of managedRuntimes) {
    if (!manager.runtimes.includes(runtime)) continue;
    const [variable, fallback] = manager.root;
    const root = env[variable] || path.join(homeFolder(), fallback);
    const folder = path.join(root, manager.versions);
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => isVersion(each, version));
    if (name !== undefined) return path.join(folder, name, manager.programs);
  }
  return undefined;
}

/** Whether a folder of programs is that of this version of a runtime, by a part of its path and the program in it. */
export function isRuntimeFolder(folder: string, runtime: string, version: string): boolean {
  return (
    folder.split(/[\\/]/).some((part) => isVersion(part, version)) && existsSync(path.join(folder, runtime))
  );
}

/** `v22.11.0`, `22.11.0`, `ruby-3.3.0`, `cpython-3.12.1-linux-x86_64-gnu`, `1.80.0-x86_64-unknown-linux-gnu`, `21.0.2-tem`. */
function isVersion(name: string, version: string): boolean {
  const bare = name.replace(/^(?:v|cpython-|ruby-|node-v?)/, '');
  return bare === version || bare.startsWith(`${version}-`);
}
