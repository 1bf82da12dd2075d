// Reads the facts of a fake machine as a capture does.

import { collectFacts } from '../../../packages/capture/src/facts/collect-facts.ts';
import { createMounts } from '../../../packages/capture/src/facts/mounts.ts';
import { readSearchPath } from '../../../packages/capture/src/runtimes/search-path.ts';
import { createToolLocator } from '../../../packages/capture/src/runtimes/tool-locator.ts';
import { capturedTerritory } from '../../../packages/capture/src/system/captured-territory.ts';
import { createMachineFiles } from '../../../packages/capture/src/system/machine-files.ts';
import { createFakeSystem, type FakeMachine } from '../../support/fake-system.ts';

/** The facts, what is unknown, and the machine with its record of what was started. */
export async function readFacts(machine: FakeMachine, folder = '/srv/app') {
  const system = createFakeSystem(machine);
  const files = createMachineFiles(system);
  const territory = await capturedTerritory(system, files, folder);
  const searchPath = await readSearchPath(system, files, folder, territory);
  const searchFolders = searchPath.folders;
  const locator = await createToolLocator(system, files, searchPath, folder, territory);
  const mounts = createMounts(system, files);
  return {
    ...(await collectFacts({ system, files, folder, searchFolders, locator, mounts })),
    system,
  };
}
