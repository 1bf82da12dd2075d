// What every collector of one capture is given: the machine under guard, the captured folder, the search path.

import type { CaptureOptions } from './capture-types.ts';
import { probeVariables } from './runtimes/probe-variables.ts';
import { readSearchPath } from './runtimes/search-path.ts';
import { createToolLocator } from './runtimes/tool-locator.ts';
import { openFileCache } from './system/file-cache.ts';
import { createHomeAbbreviation } from './system/home-path.ts';
import { guardMachine, openMachine } from './system/machine.ts';
import type { System } from './system/system.ts';
import { untrustedTree } from './system/untrusted-tree.ts';

export type OpenCapture = Awaited<ReturnType<typeof openCapture>>;

/** `open` is the machine without its guard, for what is only looked at by name. */
export async function openCapture(
  system: System,
  { folder, cacheDir, toolVersion, programId = toolVersion }: CaptureOptions,
) {
  const fileCache = await openFileCache(system, cacheDir, folder, programId);
  const open = openMachine(system, fileCache);
  const tree = await untrustedTree(open, folder);
  const searchPath = await readSearchPath(open, folder, tree);
  const machine = guardMachine(open, tree, () => probeVariables(open, searchPath, tree));
  const abbreviateHome = await createHomeAbbreviation(machine, tree.checkout);
  const locator = createToolLocator(machine, searchPath, folder, tree);
  return { open, machine, folder, tree, searchPath, abbreviateHome, locator, fileCache };
}
