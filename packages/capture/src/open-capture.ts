// What every collector of one capture is given: the machine under guard, the captured folder, the search path.

import type { CaptureOptions } from './capture-types.ts';
import { probeVariables } from './runtimes/probe-variables.ts';
import { readSearchPath } from './runtimes/search-path.ts';
import { createToolLocator } from './runtimes/tool-locator.ts';
import { capturedTerritory } from './system/captured-territory.ts';
import { createHomeAbbreviation } from './system/home-path.ts';
import { guardMachine, openMachine } from './system/machine.ts';
import { openReadings } from './system/readings.ts';
import type { System } from './system/system.ts';

export type OpenCapture = Awaited<ReturnType<typeof openCapture>>;

/** `open` is the machine without its guard, for what is only looked at by name. */
export async function openCapture(
  system: System,
  { folder, cacheDir, toolVersion, programId = toolVersion }: CaptureOptions,
) {
  const readings = await openReadings(system, cacheDir, folder, programId);
  const open = openMachine(system, readings);
  const territory = await capturedTerritory(open, folder);
  const searchPath = await readSearchPath(open, folder, territory);
  const machine = guardMachine(open, territory, () => probeVariables(open, searchPath, territory));
  const abbreviateHome = await createHomeAbbreviation(machine, territory.checkout);
  const locator = createToolLocator(machine, searchPath, folder, territory);
  return { open, machine, folder, territory, searchPath, abbreviateHome, locator, readings };
}
